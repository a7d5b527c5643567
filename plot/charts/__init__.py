# SPDX-License-Identifier: GPL-2.0-or-later
"""__init__ - the charts: a module each, found here by being here.

A chart module has ORDER, its place among the others, and figures(data): the Figures that an
inputs.Data gives, none where it has nothing for this chart.
"""

import importlib
import pkgutil


def modules():
    """All chart modules, in their order."""
    found = [importlib.import_module(f"{__name__}.{item.name}")
             for item in pkgutil.iter_modules(__path__)]
    return sorted(found, key=lambda module: (module.ORDER, module.__name__))


def figures(data):
    """Every Figure of an inputs.Data, those of one series.Chart together."""
    made = [figure for module in modules() for figure in module.figures(data)]
    place = {id(chart): index for index, chart in enumerate(data.charts)}
    return sorted(made, key=lambda figure: place.get(id(figure.group), len(place)))
