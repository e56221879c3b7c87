import pytest
import quorate_server


@pytest.fixture(scope="session")
def server():
    yield from quorate_server.server()
