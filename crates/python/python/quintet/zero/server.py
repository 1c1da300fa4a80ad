"""The NATS server of trainings on many machines: its address, and how it lets us in."""

from __future__ import annotations

import argparse
import dataclasses
import os
import ssl
import urllib.parse


@dataclasses.dataclass(frozen=True)
class Server:
    """Where the server is, and how it lets us in: the client's own options."""

    #: Its address: ``nats://HOST:PORT`` or ``tls://HOST:PORT``; user and password may stand before the host.
    url: str
    #: A file of NATS credentials.
    creds: str | None = None
    #: A PEM file with the certificates of the authority that signed the server's.
    ca: str | None = None
    #: PEM files with a certificate and its key, or one with both, where the server asks for them.
    cert: str | None = None
    key: str | None = None

    @staticmethod
    def arguments(parser: argparse.ArgumentParser, about: str, required: bool = False) -> None:
        """Adds the options of a command line. The address may also come from the environment, where ``ps`` does not show a password."""
        url = os.environ.get("QUINTET_CLUSTER") or None
        parser.add_argument("--cluster", required=required and url is None, default=url, metavar="URL", help=f"{about}, as in nats://HOST:4222 (or the environment variable QUINTET_CLUSTER)")
        parser.add_argument("--creds", metavar="FILE", help="the file of NATS credentials for the cluster")
        parser.add_argument("--ca", metavar="FILE", help="the certificates of the authority that signed the NATS server's, in a PEM file")
        parser.add_argument("--cert", metavar="FILE", help="a certificate to show to the NATS server, in a PEM file")
        parser.add_argument("--key", metavar="FILE", help="the key of that certificate (default: in the same file)")

    @staticmethod
    def taken_from(arguments: dict) -> Server | None:
        """Takes those options out of the parsed ones; none if no cluster is asked for."""
        url, *files = (arguments.pop(name) for name in ("cluster", "creds", "ca", "cert", "key"))
        return Server(url, *files) if url else None

    def options(self) -> dict:
        """What the client is told."""
        parts = urllib.parse.urlsplit(self.url if "://" in self.url else f"nats://{self.url}")
        options = {"servers": f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"}
        if parts.username is not None:
            options |= {"user": urllib.parse.unquote(parts.username), "password": urllib.parse.unquote(parts.password or "")}
        if self.creds:
            with open(self.creds, "rb"):
                options["user_credentials"] = self.creds
        if self.ca or self.cert or parts.scheme == "tls":
            options["tls"] = ssl.create_default_context(cafile=self.ca)
            if self.cert:
                options["tls"].load_cert_chain(self.cert, self.key)
        return options

    def public(self) -> str:
        """The address without user and password."""
        scheme, separator, rest = self.url.rpartition("://")
        return scheme + separator + rest.rpartition("@")[2]
