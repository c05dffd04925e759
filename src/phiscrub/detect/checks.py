"""Checks that a pattern cannot express: each takes the matched words and says whether they hold."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from types import MappingProxyType

NOT_DIGIT = re.compile(r"\D")


def is_ip(words: str) -> bool:
    """Tell whether the words are an IPv4 or IPv6 address."""
    try:
        ipaddress.ip_address(words)
    except ValueError:
        return False
    return True


CHECKS: MappingProxyType[str, Callable[[str], bool]] = MappingProxyType({"ip": is_ip})
