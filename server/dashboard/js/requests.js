// Requests to our own server, with its errors as one kind of error.

/**
 * What the server said no to: `code` is its short name ("offline" when it did not answer), `message` its English
 * sentence, `reason` and `values` what the page says instead (see troubles.js).
 */
export class Refusal extends Error {
  constructor(code, { message = "", reason = "", values = {} } = {}) {
    super(message || code);
    Object.assign(this, { code, reason, values });
  }
}

// A refusal is an answer like any other, as over the WebSocket: with another status the browser would write it to its
// console as a fault of the network.
const ASKED = { "Brisca-Refusals": "told" };

async function ask(path, { headers = {}, ...options }) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { ...ASKED, ...headers } });
  } catch {
    throw new Refusal("offline");
  }
  if (response.ok && !response.headers.has("Brisca-Refused")) return response;
  const said = await response.json().catch(() => null);
  throw new Refusal(said?.error?.code ?? "http", said?.error ?? { message: String(response.status) });
}

function sending(method, body) {
  if (body === undefined) return { method };
  return { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

export async function get(path) {
  return (await ask(path, {})).json();
}

/** POST (or another method) with a JSON body; resolves to the answer's JSON. */
export async function send(path, body, method = "POST") {
  return (await ask(path, sending(method, body))).json();
}

/** The same for an answer that is a picture: resolves to a Blob. */
export async function picture(path, body) {
  return (await ask(path, sending("POST", body))).blob();
}
