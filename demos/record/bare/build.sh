# build.sh -- builds bare.c and runs it in QEMU; it leaves bare.tacrec in the present folder: sh demos/record/bare/build.sh
#
# With -icount a count of instructions is the clock, so every run is the same.
set -e
here=$(cd "$(dirname "$0")" && pwd)
generic=${TACTUS_GENERIC:-$here/../../../generic}
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -std=c11 -Wall -Wextra -ffreestanding -nostdlib -I"$generic" \
    -T "$here/link.ld" -o bare.elf "$here/bare.c" "$generic/record/record.c" "$generic/record/vocabulary.c" -lgcc
rm -f bare.tacrec
timeout 20 qemu-system-arm -M mps2-an385 -kernel bare.elf -display none -serial none -monitor none \
    -semihosting-config enable=on,target=native -icount shift=5,sleep=off
