"""What learners get wrong, as short wrong implementations with a hint each: one module per exercise.

They prove the graders (each, handed in, must lose points), name the mistake in a wrong answer, and give the visible tests
their hints. `catalogue` has the list.
"""
