#!/bin/sh
# The test with the SDK, by the Python that has it: sdk_test.sh SDK_PYTHON PYTHON HONE
here=$(dirname "$0")
python=$1
[ -x "$python" ] || python=$2
exec "$python" -B "$here/sdk_test.py" "$3"
