"""The one token that a local Discord takes. It opens nothing else, so it may be printed and committed."""

TOKEN = "local.play.token"
