"""Signing in with an OpenID Connect provider: the code flow with PKCE."""

from refdesk.web.oidc.routes import install

__all__ = ["install"]
