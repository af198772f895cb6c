#!/usr/bin/python3
"""Energies over time: kinetic and potential, what friction, rolling and impacts have taken, and what
the balance leaves over."""
import plots

arguments = plots.options(__doc__, "energy.png").parse_args()
run = plots.Trajectory(arguments.trajectory)
made, ((upper,), (lower,)) = plots.figure(arguments, 2, 1, (6.0, 5.0))

kinetic, rotation = run.observable("kinetic_energy"), run.observable("kinetic_energy_rotation")
potential = run.observable("potential_energy")
upper.plot(run.time, kinetic - rotation, color=plots.BLUE, label="kinetic, translation")
upper.plot(run.time, rotation, color=plots.SKY, label="kinetic, rotation")
upper.plot(run.time, potential, color=plots.GREEN, label="potential")
for name, label, color, dashes in [("work_impact", "taken by impacts", plots.RED, (5, 1)),
                                   ("work_friction", "taken by friction", plots.ORANGE, (3, 1)),
                                   ("work_rolling", "taken by rolling friction", plots.PURPLE, (1, 1))]:
    upper.plot(run.time, -run.observable(name), color=color, dashes=dashes, label=label)
upper.set_ylabel("energy (J)")
upper.legend(fontsize="small", ncols=2)

imbalance = abs(run.observable("energy_imbalance"))
lower.semilogy(run.time, imbalance.clip(1e-18), color=plots.GRAY)
lower.set_xlabel("time (s)")
lower.set_ylabel("imbalance over\nenergy turned over (-)")
made.get_layout_engine().set(hspace=0.05)
upper.sharex(lower)
plots.save(made, arguments)
