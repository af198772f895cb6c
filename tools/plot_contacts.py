#!/usr/bin/python3
"""Contacts, coordination, sweeps and errors of the solver over time."""
import plots

arguments = plots.options(__doc__, "contacts.png").parse_args()
run = plots.Trajectory(arguments.trajectory)
made, axes = plots.figure(arguments, 4, 1, (6.0, 7.0))
count, coordination, sweeps, residual = axes[:, 0]

count.plot(run.time, run.observable("contacts"), color=plots.BLUE, label="contacts")
count.plot(run.time, run.observable("active"), color=plots.ORANGE, dashes=(4, 1), label="spheres")
count.set_ylabel("number (-)")
count.legend(fontsize="small")
coordination.plot(run.time, run.observable("coordination"), color=plots.GREEN)
coordination.set_ylabel("coordination (-)")
sweeps.plot(run.time, run.observable("solver_iterations"), ".", markersize=2, color=plots.RED)
sweeps.set_ylabel("sweeps of a step (-)")
for name, label, color in [("velocity_error", "velocities (g h)", plots.GREEN),
                           ("solver_residual", "residual, scaled (-)", plots.BLUE),
                           ("solver_natural_map", "natural map (SI)", plots.ORANGE)]:
    if name not in run.file["observables"]:  # of an older file
        continue
    value = run.observable(name)
    residual.semilogy(run.time[value > 0], value[value > 0], ".", markersize=2, color=color, label=label)
residual.set_ylabel("errors")
residual.legend(fontsize="small", markerscale=4)
residual.set_xlabel("time (s)")
for upper in (count, coordination, sweeps):
    upper.sharex(residual)
plots.save(made, arguments)
