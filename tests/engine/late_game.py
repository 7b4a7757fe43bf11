"""The end of a game of two, from which a few cards decide."""

LATE = """[Trump "4C"]
1. 0:1O 1:2O >0
2. 0:3O 1:4O >0
3. 0:5O 1:6O >1
4. 1:10O 0:2E >1
5. 1:11O 0:2B >1
6. 1:1E 0:4E >1
7. 1:3E 0:5E >1
8. 1:6E 0:10E >0
9. 0:1B 1:3B >0
10. 0:5B 1:6B >1
11. 1:7B 0:10B >0
12. 0:11B 1:12B >1
13. 1:11E 0:12E >0
14. 0:2C 1:5C >1
15. 1:6C 0:7C >0
16. 0:10C 1:11C >1
17. 1:3C 0:7O >1
^0
"""
"""Seventeen tricks of two players: unseen remain 1C 12C 12O 4B 7E; seat 0 took the face-up 4C."""
