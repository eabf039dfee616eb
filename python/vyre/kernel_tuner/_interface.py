"""tune_kernel and run_kernel with the arguments and results of Kernel Tuner 1.5."""

from __future__ import annotations

import inspect
import math
import time
from typing import Any, Callable, Mapping, Optional, Sequence

from .._devices import Device, devices, open_device
from .._errors import BadInputs, Interrupted
from .._search import Constraint, Space
from . import _launch, _simulate
from ._launch import Configs
from ._measure import Kernel, Search, Task, measure, problem_of, run
from ._results import add_metrics, report, results_of, with_totals
from .util import get_objective_defaults

# Their strategies, and ours that is nearest in kind.
_STRATEGIES = {
    None: "exhaustive", "brute_force": "exhaustive", "random_sample": "random",
    "genetic_algorithm": "evolution", "diff_evo": "evolution", "pso": "evolution",
    "firefly_algorithm": "evolution", "greedy_mls": "local", "ordered_greedy_mls": "local",
    "greedy_ils": "local", "mls": "local", "minimize": "local", "basinhopping": "local",
    "simulated_annealing": "local", "dual_annealing": "local", "bayes_opt": "natural",
    "skopt": "natural", "pyatf_strategies": "natural", "hybrid_vndx": "natural",
    "adaptive_tabu_greywolf": "natural",
}
_OURS = ("natural", "evolution", "local", "random", "exhaustive")
_FEVALS = 100  # of a strategy without limits, as most of theirs
_OPTIONS = ("max_fevals", "time_limit", "fraction", "x0")


def tune_kernel(kernel_name: str, kernel_source: Any, problem_size: Any, arguments: Sequence[Any],
                tune_params: Mapping[str, Sequence[Any]], grid_div_x: Any = None,
                grid_div_y: Any = None, grid_div_z: Any = None, restrictions: Any = None,
                answer: Optional[Sequence[Any]] = None, atol: float = 1e-6,
                verify: Optional[Callable[..., Any]] = None, verbose: bool = False,
                lang: Optional[str] = None, device: int = 0, platform: int = 0,
                smem_args: Any = None, cmem_args: Any = None, texmem_args: Any = None,
                compiler: Any = None, compiler_options: Optional[Sequence[str]] = None,
                defines: Optional[Mapping[str, Any]] = None, log: Any = None, iterations: int = 7,
                block_size_names: Optional[Sequence[str]] = None, quiet: bool = False,
                strategy: Optional[str] = None,
                strategy_options: Optional[Mapping[str, Any]] = None, cache: Any = None,
                metrics: Optional[Mapping[str, Any]] = None, simulation_mode: Any = None,
                parallel: Any = None, observers: Any = None, objective: Optional[str] = None,
                objective_higher_is_better: Optional[bool] = None, objectives: Any = None,
                seed: Optional[int] = None) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Tunes a kernel as Kernel Tuner does: (results, env). docs/python.md says what differs."""
    began = time.perf_counter()
    _refuse(texmem_args=texmem_args, smem_args=smem_args, cmem_args=cmem_args, compiler=compiler,
            parallel=parallel, observers=observers, objectives=objectives)
    goal, is_higher = get_objective_defaults(objective, objective_higher_is_better)
    names = list(tune_params)
    ours = _strategy(strategy, quiet)
    if simulation_mode:
        cached = _cached(cache, kernel_name, names, None)
        space = Space(tune_params, _constraints(tune_params, restrictions, None, None))
        search = _search_of(ours, strategy_options or {}, seed, iterations, space, quiet)
        results, env = _simulate_search(search, cached, space, names)
    else:
        opened = _device(lang, kernel_source, device, platform, quiet)
        limits = _constraints(tune_params, restrictions, opened, block_size_names)
        space = Space(tune_params, limits)
        search = _search_of(ours, strategy_options or {}, seed, iterations, space, quiet)
        kernel = _kernel(kernel_name, kernel_source, problem_size,
                         [grid_div_x, grid_div_y, grid_div_z], block_size_names, tune_params,
                         defines, compiler_options, lang, space)
        if cached := _cached(cache, kernel_name, names, opened):
            limits.append(lambda config: _simulate.key_of(config, names) not in cached)
        task = Task(kernel, arguments, tune_params, limits, answer, verify, atol)
        env = {"device_name": opened.name, "vyre": opened.info}
        results = [dict(entry) for entry in cached.values()]
        try:
            results += measure(task, search, opened, cached)
        except Interrupted as stopped:
            if cache and stopped.result is not None:
                results += results_of(stopped.result, names)
                add_metrics(results, metrics)
                _store(cache, results, env, kernel_name, problem_size, tune_params, goal)
            raise
    add_metrics(results, metrics)
    report(results, env, names, goal, is_higher, metrics, quiet)
    if cache and not simulation_mode:
        _store(cache, results, env, kernel_name, problem_size, tune_params, goal)
    return results, with_totals(results, env, 1000 * (time.perf_counter() - began))


def run_kernel(kernel_name: str, kernel_source: Any, problem_size: Any, arguments: Sequence[Any],
               params: Mapping[str, Any], grid_div_x: Any = None, grid_div_y: Any = None,
               grid_div_z: Any = None, lang: Optional[str] = None, device: int = 0,
               platform: int = 0, smem_args: Any = None, cmem_args: Any = None,
               texmem_args: Any = None, compiler: Any = None,
               compiler_options: Optional[Sequence[str]] = None,
               defines: Optional[Mapping[str, Any]] = None,
               block_size_names: Optional[Sequence[str]] = None, quiet: bool = False,
               log: Any = None) -> list[Any]:
    """Runs a kernel once with these parameters; returns what its arguments are then."""
    _refuse(texmem_args=texmem_args, smem_args=smem_args, cmem_args=cmem_args, compiler=compiler)
    single = {name: [value] for name, value in params.items()}
    opened = _device(lang, kernel_source, device, platform, True)
    kernel = _kernel(kernel_name, kernel_source, problem_size, [grid_div_x, grid_div_y, grid_div_z],
                     block_size_names, single, defines, compiler_options, lang, Space(single))
    task = Task(kernel, arguments, single, [], None, None, 0)
    return run(problem_of(task), opened, arguments, None)


def _refuse(**given: Any) -> None:
    for name, value in given.items():
        if value is not None and value is not False:
            raise NotImplementedError(f"vyre.kernel_tuner has no {name}; leave it out, or use "
                                      "Kernel Tuner with strategy=vyre.kernel_tuner.Search()")


def _strategy(strategy: Any, quiet: bool) -> str:
    if strategy is not None and not isinstance(strategy, str):
        raise NotImplementedError("vyre.kernel_tuner takes strategies by name; give objects to "
                                  "Kernel Tuner itself")
    if strategy not in _STRATEGIES and strategy not in _OURS:
        raise ValueError(f"Unknown strategy {strategy}, must be one of: "
                         f"{', '.join(name for name in (*_STRATEGIES, *_OURS) if name)}")
    ours = str(_STRATEGIES.get(strategy, strategy))
    if strategy is not None and strategy != ours and not quiet:
        print(f"vyre.kernel_tuner: strategy {strategy} stands for vyre's {ours}")
    return ours


def _search_of(strategy: str, options: Mapping[str, Any], seed: Optional[int], iterations: int,
               space: Space, quiet: bool) -> Search:
    evaluations = int(options.get("max_fevals", 0))
    seconds = float(options.get("time_limit", 0))
    if "fraction" in options and not evaluations:
        evaluations = math.ceil(len(space) * float(options["fraction"]))
    if strategy != "exhaustive" and not evaluations and not seconds:
        evaluations = _FEVALS
    first = [dict(zip(space[0], options["x0"]))] if options.get("x0") is not None else []
    unused = [name for name in options if name not in _OPTIONS]
    if unused and not quiet:
        print(f"vyre.kernel_tuner: strategy_options without effect: {', '.join(unused)}")
    return Search(strategy, seed or 1, evaluations, seconds, iterations, first)


def _simulate_search(search: Search, cached: Mapping[str, dict[str, Any]], space: Space,
                     names: Sequence[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    simulation = _simulate.Simulation(cached, space, names)
    results = simulation.run(search.strategy, search.seed, search.evaluations or None,
                             1000 * search.seconds if search.seconds else None, search.first)
    return results, {"device_name": "Simulation", "simulation": True,
                     "simulated_time": simulation.simulated_ms}


def _language(lang: Optional[str], source: Any) -> str:
    if lang is not None:
        if lang.lower() in ("opencl", "cuda", "hip"):
            return lang.lower()
        if lang.lower() in ("cupy", "nvcuda"):
            return "cuda"
        raise NotImplementedError(f"vyre.kernel_tuner has no lang {lang!r}; use \"OpenCL\", "
                                  "\"CUDA\" or \"HIP\"")
    if callable(source):
        raise ValueError("give lang: it cannot be seen from a function that makes the source")
    return "cuda" if "__global__" in _launch.text_of(source) else "opencl"


def _device(lang: Optional[str], source: Any, device: int, platform: int, quiet: bool) -> Device:
    """Kernel Tuner counts devices within a platform, vyre over all of a backend."""
    backend = _language(lang, source)
    found = [d for d in devices() if d.backend == backend]
    platforms = list(dict.fromkeys(d.info["platform"] for d in found))
    if backend == "opencl" and platform < len(platforms):
        found = [d for d in found if d.info["platform"] == platforms[platform]]
    elif platform > 0:
        raise BadInputs(f"there is no platform {platform}; `vyre devices` lists the devices")
    if device >= len(found):
        raise BadInputs(f"there is no {backend} device {device}; `vyre devices` lists the devices")
    if not quiet:
        print(f"Using: {found[device].name}")
    return open_device(found[device])


def _constraints(params: Mapping[str, Sequence[Any]], restrictions: Any, device: Optional[Device],
                 names: Optional[Sequence[str]]) -> list[Constraint]:
    given = [] if restrictions is None else (
        [restrictions] if callable(restrictions) or isinstance(restrictions, str)
        else list(restrictions))
    for restriction in given:
        if not isinstance(restriction, str) and not callable(restriction):
            raise NotImplementedError("restrictions are texts or functions; objects of "
                                      "python-constraint are not taken")
    out: list[Constraint] = [r if isinstance(r, str) else _function(r) for r in given]
    blocks = [n for n in _launch.block_names(names, params) if n in params]
    if device is not None and blocks:
        out.append(f"{' * '.join(blocks)} <= {device.info['limits']['workgroup_items']}")
    return out


def _function(restriction: Callable[..., Any]) -> Constraint:
    """A restriction takes one dict, or the parameters by name."""
    try:
        wanted = list(inspect.signature(restriction).parameters)
    except (TypeError, ValueError):
        wanted = ["p"]
    if len(wanted) == 1:
        return lambda config: (restriction(config[wanted[0]]) if wanted[0] in config
                               else restriction(config))
    return lambda config: restriction(**{name: config[name] for name in wanted})


def _cached(cache: Any, kernel: str, names: Sequence[str],
            device: Optional[Device]) -> dict[str, Any]:
    """Results of earlier runs by key. Without a device they are all that there is."""
    if not cache:
        if device is None:
            raise ValueError("Simulation mode requires an existing cachefile: give cache=")
        return {}
    try:
        return _simulate.read(_simulate.file_name(cache), kernel, names,
                              None if device is None else device.name)
    except FileNotFoundError:
        if device is None:
            raise ValueError("Simulation mode requires an existing cachefile: file "
                             f"{_simulate.file_name(cache)} does not exist") from None
        return {}


def _store(cache: Any, results: Sequence[dict[str, Any]], env: Mapping[str, Any], kernel: str,
           size: Any, params: Mapping[str, Sequence[Any]], objective: str) -> None:
    _simulate.write(_simulate.file_name(cache), results, {
        "device_name": env["device_name"], "kernel_name": kernel,
        "problem_size": size if not callable(size) else "callable",
        "tune_params_keys": list(params),
        "tune_params": {name: list(values) for name, values in params.items()},
        "objective": [objective]})


def _kernel(name: str, source: Any, size: Any, divisors: Sequence[Any],
            block_names: Optional[Sequence[str]], params: Mapping[str, Sequence[Any]],
            defines: Optional[Mapping[str, Any]], options: Optional[Sequence[str]],
            lang: Optional[str], space: Space) -> Kernel:
    names = _launch.block_names(block_names, params)
    configs = Configs(space)
    grid = _launch.grid_of(size, divisors, names, params, configs)
    text = _launch.source_of(source, configs)
    text = _launch.macros(defines, text, grid, names, params, configs) + text
    return Kernel(name, text, _language(lang, source), _launch.local_size(names, params), grid,
                  list(options or []), _launch.folder_of(source))
