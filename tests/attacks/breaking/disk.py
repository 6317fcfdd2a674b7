"""Fills its scratch folder, with one file and with many.

Expected: right or crashed or error
"""


from attack_kit import right

for number in range(1000):
    try:
        with open(f"part{number}", "wb") as file:
            file.write(bytes(1 << 20))
    except OSError:
        break


def softmax(x, axis=-1):
    return right(x, axis)
