#!/bin/sh
# Refuses new code that asks whether a device is a CPU: tools/check_capabilities.sh REPOSITORY
# What differs between devices is asked as a capability (core/device_info.h), so that a new backend
# touches its own folder only. The uses that are left name the device for people or write it to a
# record; their number may only fall.
most=30
cd "${1:-.}" || exit 2
count=$(grep -rn is_cpu src --include='*.cc' --include='*.h' | grep -vc '^src/device/')
if [ "$count" -gt "$most" ]; then
  echo "is_cpu is in $count lines outside src/device, and $most are allowed:"
  grep -rn is_cpu src --include='*.cc' --include='*.h' | grep -v '^src/device/'
  echo "Ask core::capabilities(info) or core::clock_of(info) instead (core/device_info.h)."
  exit 1
fi
[ "$count" -eq "$most" ] ||
  echo "is_cpu is in $count lines outside src/device:" \
    "fewer than the $most allowed (you may lower \`most\` in tools/check_capabilities.sh)"
