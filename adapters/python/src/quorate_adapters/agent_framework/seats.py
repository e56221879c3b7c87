"""What takes the seat: an agent, or something of which each turn runs a workflow."""

import contextlib
import copy
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from agent_framework import BaseChatClient, Executor, SupportsAgentRun, Workflow, WorkflowAgent
from agent_framework import FunctionalWorkflow

from ..calls import Answer, Call
from .agents import AgentSeat
from .loading import LoadError
from .workflows import WorkflowSeat

_KINDS = "an agent, a workflow, a builder of one, or a function without arguments that makes one"


class NotCopied(LoadError):
    """A workflow holds something of which there can be only one."""


class Seat(Protocol):
    """Whoever answers the calls."""

    #: What it is, in a few words.
    title: str

    async def answer(self, call: Call) -> Answer: ...

    def open(self) -> contextlib.AbstractAsyncContextManager[Any]: ...


async def seat(found: Any, name: str, which: str) -> Seat:
    """Makes a seat of an agent, a workflow, a builder, or a function that makes one of them.

    Args:
        found: The object.
        name: What it is called in errors.
        which: Which messages of a workflow become the answer: `all`, `output` or `last`.

    Raises:
        LoadError: If it is something else or cannot be made.
    """
    return await _seat(found, name, which, None)


async def _seat(found: Any, name: str, which: str, factory: Callable[[], Any] | None) -> Seat:
    if isinstance(found, WorkflowAgent):
        # Its workflow keeps its state from run to run, so each turn needs one of its own.
        found = found.workflow
    if isinstance(found, (Workflow, FunctionalWorkflow)):
        fresh = _made_by(factory) if factory else _copies(found, name)
        return WorkflowSeat(fresh, which, f"the workflow {name}")
    if _is_builder(found):
        built = _called(found.build, f"{name}.build()")
        try:
            # What one builder builds may share executors, with what they remember.
            return await _seat(built, name, which, None)
        except NotCopied:
            return await _seat(built, name, which, found.build)
    if isinstance(found, SupportsAgentRun) and not inspect.isclass(found):
        return AgentSeat(found, f"the agent {name}")
    if factory is None and callable(found) and not inspect.isclass(found):
        made = await _awaited(_called(found, f"{name}()"), f"{name}()")
        if _is_builder(made):
            return await _seat(made, name, which, None)
        return await _seat(made, name, which, found)
    what = "makes" if factory else "is"
    raise LoadError(f"{name} {what} {_article(found)}, not {_KINDS}", _hint(found))


def is_seat(value: Any) -> bool:
    """Whether a value can take a seat as it is."""
    if inspect.isclass(value):
        return False
    return isinstance(value, (Workflow, FunctionalWorkflow, SupportsAgentRun)) or _is_builder(value)


def _is_builder(value: Any) -> bool:
    return not inspect.isclass(value) and callable(getattr(value, "build", None)) and not callable(
        getattr(value, "run", None)
    )


def _called(make: Callable[[], Any], name: str) -> Any:
    try:
        inspect.signature(make).bind()
    except TypeError as error:
        raise LoadError(f"{name} needs arguments: {error}", "Name a function without arguments") from error
    except ValueError:
        pass
    try:
        return make()
    except Exception as error:
        raise LoadError(f"{name} failed: {type(error).__name__}: {error}", "Mend the function") from error


async def _awaited(value: Any, name: str) -> Any:
    try:
        return await value if inspect.isawaitable(value) else value
    except Exception as error:
        raise LoadError(f"{name} failed: {type(error).__name__}: {error}", "Mend the function") from error


def _made_by(factory: Callable[[], Any]) -> Callable[[], Awaitable[Any]]:
    async def fresh() -> Any:
        made = factory()
        made = await made if inspect.isawaitable(made) else made
        return made.workflow if isinstance(made, WorkflowAgent) else made

    return fresh


def _copies(template: Any, name: str) -> Callable[[], Awaitable[Any]]:
    """A workflow keeps its conversation and its rounds from run to run, so each turn runs a copy of it.

    Agents and their clients are shared: they keep nothing between runs, and connections cannot be copied.
    """

    def copied() -> Any:
        return copy.deepcopy(template, {id(shared): shared for shared in _shared(template)})

    try:
        copied()
    except Exception as error:
        raise NotCopied(
            f"{name} cannot be copied for each turn ({type(error).__name__}: {error})",
            "Name a function that makes the workflow, or its builder",
        ) from error

    async def fresh() -> Any:
        return copied()

    return fresh


def _shared(template: Any) -> list[Any]:
    if not isinstance(template, Workflow):
        return []
    values = [value for executor in template.get_executors_list() for value in vars(executor).values()]
    agents = [value for value in values if isinstance(value, (SupportsAgentRun, BaseChatClient))]
    return [agent for agent in agents if not isinstance(agent, (Executor, WorkflowAgent))]


def _article(value: Any) -> str:
    if inspect.isclass(value):
        return f"the class {value.__name__}"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _hint(value: Any) -> str:
    if isinstance(value, BaseChatClient):
        return "Give the client to an Agent, and name the agent"
    if isinstance(value, Executor):
        return "Put it into a workflow, and name the workflow"
    if inspect.isclass(value):
        return "Name an instance, or a function that makes one"
    return "Name another object of the module"
