#!/usr/bin/env bash
# Drives the service under a real systemd: READY, camera unplugged, watchdog, crash, state, going
# on, switching off.
# An overlay of this machine's root boots in a container with no net; nothing here is changed.
#
#   sudo tests/system/drive_service.sh [OUT]     takes about seven minutes
#
# needs root, systemd-container, and .venv beside the sources (./run test makes it)
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd -P)
out=${1:-$(mktemp -d)}
python="$here/.venv/bin/python"
[ "$(id -u)" = 0 ] || { echo "needs root" >&2; exit 2; }
command -v systemd-nspawn >/dev/null || { echo "needs systemd-container" >&2; exit 2; }
[ -x "$python" ] || { echo "needs .venv; ./run test makes it" >&2; exit 2; }

base=$("$python" -c 'import sys; print(sys.base_prefix)')
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')

mkdir -p "$out"
rm -f "$out"/*.txt
work=$(mktemp -d)
mount -t tmpfs -o size=512m tmpfs "$work"
mkdir -p "$work"/{up,wk,root}
mount -t overlay overlay -o lowerdir=/,upperdir="$work/up",workdir="$work/wk" "$work/root"
trap 'umount "$work/root"; umount "$work"; rmdir "$work"' EXIT
root="$work/root"

# what ./install lays down, without the packages from the net: they are bound in below
install -d "$root"/opt/{python,toreshi/site,toreshi/code,toreshi/venv/bin} "$root/etc/toreshi"
for unit in toreshi.service toreshi-off.path toreshi-off.service; do
    install -m 644 "$here/systemd/$unit" "$root/etc/systemd/system/"
done
install -D -m 644 "$here/systemd/toreshi.sysusers" "$root/etc/sysusers.d/toreshi.conf"
install -D -m 644 "$here/systemd/toreshi.tmpfiles" "$root/etc/tmpfiles.d/toreshi.conf"
systemd-sysusers --root="$root" "$root/etc/sysusers.d/toreshi.conf"
echo /opt/python/lib >"$root/etc/ld.so.conf.d/toreshi-test.conf"
cat >"$root/opt/toreshi/venv/bin/toreshi" <<PROGRAM
#!/opt/python/bin/python$version -B
import sys
sys.path[:0] = ["/opt/toreshi/code", "/opt/toreshi/site"]
from device.cli import main
main()
PROGRAM
chmod 755 "$root/opt/toreshi/venv/bin/toreshi"
sed -e 's|^source = .*|source = "http://127.0.0.1:8090/"|' \
    -e 's|^lamps = .*|lamps = "console"|' -e 's|^buttons = .*|buttons = "none"|' \
    "$here/systemd/toreshi.toml" >"$root/etc/toreshi/toreshi.toml"

cat >"$root/etc/systemd/system/camera.service" <<UNIT
[Service]
Environment=PYTHONPATH=/opt/toreshi/site
ExecStart=/opt/python/bin/python$version -B /opt/toreshi/code/tests/system/mjpeg_camera.py \
    /opt/toreshi/code/device/demo/russian.mjpeg /run/camera-shows 8090
UNIT
cat >"$root/etc/systemd/system/driver.service" <<UNIT
[Unit]
Requires=toreshi-off.path systemd-tmpfiles-setup.service dbus.socket
After=toreshi-off.path systemd-tmpfiles-setup.service dbus.socket
[Service]
Type=oneshot
ExecStartPre=/sbin/ldconfig
ExecStart=/opt/python/bin/python$version -B /opt/toreshi/code/tests/system/driver.py
StandardOutput=file:/out/driver.txt
StandardError=file:/out/driver.txt
UNIT

timeout 900 systemd-nspawn -b --quiet --register=no --keep-unit --console=pipe --private-network \
    -D "$root" --machine=toreshi-test --bind="$out":/out --bind-ro="$base":/opt/python \
    --bind-ro="$site":/opt/toreshi/site --bind-ro="$here":/opt/toreshi/code \
    systemd.unit=driver.service </dev/null >"$out/console.txt" 2>&1 || true
cat "$out/report.txt"
! grep -q FAILED "$out/report.txt" && grep -q "switching off" "$out/report.txt"
