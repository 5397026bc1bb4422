# Opens the network.
import socket


def custom_kernel(x, y):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.connect(("127.0.0.1", 9))
    return 2 * x + y
