"""From `MODULE:NAME` to a Python object, with an error for each way in which that fails."""

import difflib
import importlib
import importlib.util
import os
import sys
import traceback
from types import ModuleType
from typing import Any

from ..errors import describe

INSTALL = 'Install it: pip install "quorate-adapters[agent-framework]"'


class LoadError(Exception):
    """There is nothing to run. The message says what is wrong, `hint` what helps."""

    def __init__(self, detail: str, hint: str) -> None:
        super().__init__(detail)
        self.detail, self.hint = detail, hint


def require_framework() -> None:
    """Raises a `LoadError` that says what to install where the framework is absent or too old."""
    try:
        import agent_framework
    except ImportError as error:
        if error.name != "agent_framework":
            raise LoadError(f"Microsoft Agent Framework cannot be imported: {error}", INSTALL) from error
        raise LoadError("Microsoft Agent Framework is not installed", INSTALL) from error
    for name in ("Agent", "Message", "Workflow", "WorkflowEvent", "ResponseStream"):
        if not hasattr(agent_framework, name):
            version = getattr(agent_framework, "__version__", "this version")
            raise LoadError(f"Microsoft Agent Framework {version} has no {name}", "Install version 1.23 or newer")


def load(spelling: str) -> Any:
    """The object that `MODULE:NAME` or `FILE.py:NAME` names.

    Raises:
        LoadError: If it cannot be found or its module cannot be imported.
    """
    module_name, colon, path = spelling.rpartition(":")
    if not colon or not module_name or not path:
        raise LoadError(
            f"{spelling!r} does not name an agent", "Write MODULE:NAME, such as agents:critic, or FILE.py:NAME"
        )
    module = _module(module_name)
    found: Any = module
    reached = module_name
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise LoadError(f"{reached} has no {name!r}", _candidates(module, path)) from None
        reached = f"{reached}:{name}" if reached == module_name else f"{reached}.{name}"
    return found


def _module(name: str) -> ModuleType:
    try:
        if name.endswith(".py"):
            return _file(name)
        # As `python3 -m` does it, but not where a script started us.
        if os.getcwd() not in sys.path and "" not in sys.path:
            sys.path.insert(0, os.getcwd())
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(f"{missing}."):
            raise LoadError(
                f"there is no module {name!r}: {os.getcwd()} has no {name.replace('.', '/')}.py, and it is not installed",
                "Check the name, or set cwd of the process to the folder of the module",
            ) from error
        raise LoadError(f"{name} imports {missing!r}, which is not installed", _install(missing)) from error
    except LoadError:
        raise
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        raise LoadError(f"{name} failed while it was imported: {describe(error)}", "Run it with python3 to see where") from error


def _file(path: str) -> ModuleType:
    whole = os.path.abspath(path)
    if not os.path.isfile(whole):
        raise LoadError(f"there is no file {whole}", "Check the name, or set cwd of the process to its folder")
    folder, file = os.path.split(whole)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    name = file.removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        raise LoadError(f"{whole} is not a Python file", "Check the name")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module


def _install(module: str) -> str:
    top = module.partition(".")[0]
    if top == "agent_framework" and "." not in module:
        return INSTALL
    return f"Install it: pip install {top.replace('_', '-')}"


def _candidates(module: ModuleType, wanted: str) -> str:
    from .seats import is_seat

    names = [name for name, value in vars(module).items() if not name.startswith("_") and is_seat(value)]
    near = difflib.get_close_matches(wanted, names, n=1)
    if near:
        return f"Did you mean {near[0]!r}?"
    if names:
        return f"It has {', '.join(repr(name) for name in names[:10])}"
    return "It has no agent, workflow or builder"
