"""The soak: the real bot in a bad hour on a Discord of this machine, and everything that must hold all the while.

``wordmoot soak`` starts a Discord on loopback and the unmodified bot as a process, seats people and automata at tables
and lets them play whole games by slash commands, buttons, menus and forms. Meanwhile requests fail, sockets drop, events
come late or twice, messages vanish and the bot is killed. Beside what the bot says, its database is read (and only
read), so that what was answered can be compared with what was stored.

``players`` holds how a person does a move of each game (one class a game, the one thing to add with a game); ``party`` a
table's life; ``mischief`` what people do wrong; ``weather`` and ``keeper`` what goes wrong around them; ``records``,
``answers``, ``progress`` and ``secrecy`` what is checked; ``journal`` what was found.
"""
