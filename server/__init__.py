"""The composition root: command line, web app, referee, store, dashboard."""
