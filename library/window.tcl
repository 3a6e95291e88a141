# window.tcl -- the window: the player with all that belongs to it, its panels and the export dialog.
#
# `tactus` without a subcommand starts it by ::tactus::player::main (player/player.tcl).

::tactus::need player/player

# Files that are read before the window opens. Actions of one menu stand in this order where they ask for none.
set ::tactus::player::parts {
    player/text times player/look player/tip player/store player/session player/theme player/jobs player/actions
    player/running player/navigate player/keys player/window player/view player/opening player/live player/mapping
    player/outlier player/overview player/status player/rows player/commandTable export/dialog player/console
    panel/panels
}
