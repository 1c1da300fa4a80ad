"""Docstrings, stubs and the notebook say what is true."""

import ast
import doctest
import importlib
import inspect
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import quintet
import quintet._quintet as native

PACKAGE = Path(quintet.__file__).parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def documented():
    """Everything with a docstring: the public names of the package, with their methods and attributes."""
    modules = [quintet, *(importlib.import_module(f"quintet.{name}") for name in ["openspiel", "pettingzoo"])]
    for module in modules:
        yield module.__name__, module
        for name in module.__all__:
            value = getattr(module, name)
            yield f"{module.__name__}.{name}", value
            if inspect.isclass(value):
                own = [(key, member) for key, member in vars(value).items() if not key.startswith("_")]
                yield from ((f"{module.__name__}.{name}.{key}", member) for key, member in own)


DOCUMENTED = dict(documented())


@pytest.mark.parametrize("name", [name for name, value in DOCUMENTED.items() if ">>>" in (value.__doc__ or "")])
def test_examples(name):
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(DOCUMENTED[name]), {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_everything_native_has_a_docstring():
    adapters = ("quintet.openspiel", "quintet.pettingzoo")
    assert [name for name, value in DOCUMENTED.items() if not value.__doc__ and not name.startswith(adapters)] == []


def test_stubs_name_what_there_is():
    stub = ast.parse((PACKAGE / "_quintet.pyi").read_text())
    declared = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    there = {name for name in dir(native) if not name.startswith("_")}
    assert set(declared) == there
    for name, node in declared.items():
        value = getattr(native, name)
        if isinstance(node, ast.FunctionDef):
            same_parameters(value, node)
            continue
        members = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
        own = {key for key in vars(value) if not key.startswith("_")}
        assert {key for key in members if not key.startswith("_")} == own, name
        if "__new__" in members:
            members["__new__"].args.args.pop(0)
            same_parameters(value, members["__new__"])
        for key in own:
            if callable(getattr(value, key)):
                same_parameters(getattr(value, key), members[key])


def same_parameters(value, node):
    given = inspect.signature(value).parameters
    arguments = node.args
    declared = [*arguments.posonlyargs, *arguments.args, *([arguments.vararg] if arguments.vararg else []), *arguments.kwonlyargs]
    assert [argument.arg for argument in declared] == list(given), node.name
    keywords = [name for name, parameter in given.items() if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    assert [argument.arg for argument in arguments.kwonlyargs] == keywords, node.name
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip([argument.arg for argument in positional[len(positional) - len(arguments.defaults) :]], arguments.defaults))
    defaults |= {argument.arg: default for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default}
    of_stub = {name: ast.literal_eval(default) for name, default in defaults.items()}
    assert of_stub == {name: parameter.default for name, parameter in given.items() if parameter.default is not parameter.empty}, node.name


def test_the_notebook():
    path = Path(__file__).parent.parent / "examples" / "tour.ipynb"
    notebook = nbformat.read(path, as_version=4)
    # It is kept with its outputs, so that those who do not run it see the plots.
    assert {"image/svg+xml", "image/png"} <= kinds(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    assert {"image/svg+xml", "image/png"} <= kinds(notebook)


def kinds(notebook):
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return {kind for output in outputs if "data" in output for kind in output["data"]}
