# export/preview.tcl -- class FigurePreview: a picture of a figure before it is written. The exporter draws it into a
# temporary file, at the resolution of the screen, and a photo image shows that. The format is PPM, since unpacking a
# PNG would keep the window waiting.
#
#   set preview [FigurePreview new FRAME ?-done PREFIX?]
#   $preview show TRACE ARGUMENTS     draws soon; a call before that replaces the earlier one
#   $preview zoom fit|PERCENT         100: a point is a point of the screen (PNG, PPM: a pixel is a pixel)
#   $preview clear TEXT               shows a text instead
#
# PREFIX is called with {} or the exporter's message after each drawing.
#
# The exporter draws in a process of its own, so that the window goes on ($trace exporting); a drawing that is out of
# date is given up. Where no such process can be started the drawing is done here. Drawing waits until the changes
# pause: longer after a drawing that took long, and then the word "drawing" is shown meanwhile. A figure whose size is
# not known yet is drawn twice to fit.

oo::class create ::tactus::player::FigurePreview {
    variable Frame Canvas Photo Done Timer Trace Arguments Zoom Points Cost File
    variable Channel Began Used Rounds  ;# of the drawing under way; {}: none

    constructor {frame args} {
        set Frame $frame
        set Done [::tactus::player::figure::option $args -done]
        set Timer {}
        set Trace {}
        set Arguments {}
        set Zoom fit
        set Points {}           ;# width and height of the figure drawn last
        set Cost 0              ;# milliseconds that the last drawing took
        set Channel {}
        close [file tempfile File tactus-preview.ppm]
        set Photo [image create photo]
        my build
    }

    destructor {
        after cancel $Timer
        my giveUp
        catch {image delete $Photo}
        catch {file delete -- {*}[glob -nocomplain -- $File*]}
    }

    # ---- widgets -----------------------------------------------------------------------------------------------------

    method build {} {
        set Canvas $Frame.canvas
        canvas $Canvas -width [::tactus::player::px 560] -height [::tactus::player::px 320] -highlightthickness 0 \
            -xscrollcommand [list $Frame.x set] -yscrollcommand [list $Frame.y set]
        ttk::scrollbar $Frame.x -orient horizontal -command [list $Canvas xview]
        ttk::scrollbar $Frame.y -orient vertical -command [list $Canvas yview]
        my buildBar [ttk::frame $Frame.bar]
        grid $Canvas $Frame.y -sticky nsew
        grid $Frame.x -sticky ew
        grid $Frame.bar -columnspan 2 -sticky ew -pady [list [::tactus::player::px 4] 0]
        grid columnconfigure $Frame 0 -weight 1
        grid rowconfigure $Frame 0 -weight 1
        my colors
        bind $Frame <Destroy> +[namespace code {my gone %W}]
        bind $Canvas <Configure> [namespace code {my resized}]
        my bindMouse
        ::tactus::player::listen ThemeChanged [namespace code {my colors}] $Frame
    }

    method buildBar {bar} {
        ttk::label $bar.size -style Muted.TLabel
        ttk::label $bar.note -style Muted.TLabel
        ttk::combobox $bar.zoom -state readonly -width 7 -values {fit {50 %} {100 %} {200 %} {400 %}}
        $bar.zoom set fit
        bind $bar.zoom <<ComboboxSelected>> [namespace code {my zoomChosen}]
        # Packed first: it keeps its room longest when the window is small.
        pack $bar.zoom -side right
        pack $bar.note -side right -padx [::tactus::player::px 8]
        pack $bar.size -side left
    }

    method bindMouse {} {
        bind $Canvas <Button-1> {%W scan mark %x %y}
        bind $Canvas <B1-Motion> {%W scan dragto %x %y 1}
        bind $Canvas <Control-Button-4> [namespace code {my zoomBy 1}]
        bind $Canvas <Control-Button-5> [namespace code {my zoomBy -1}]
        bind $Canvas <Button-4> {%W yview scroll -2 units}
        bind $Canvas <Button-5> {%W yview scroll 2 units}
        bind $Canvas <Shift-Button-4> {%W xview scroll -2 units}
        bind $Canvas <Shift-Button-5> {%W xview scroll 2 units}
        bind $Canvas <Double-Button-1> [namespace code {my zoom [expr {[my zoomed] eq "fit" ? 100 : "fit"}]}]
    }

    method colors {args} {
        $Canvas configure -background [::tactus::player::theme color trough]
        $Canvas itemconfigure text -fill [::tactus::player::theme color muted]
    }

    method gone {window} {
        if {$window eq $Frame} {my destroy}
    }

    # ---- zoom --------------------------------------------------------------------------------------------------------

    method zoomed {} {
        return $Zoom
    }

    method zoom {zoom} {
        if {$zoom eq $Zoom} return
        set Zoom $zoom
        $Frame.bar.zoom set [expr {$zoom eq "fit" ? "fit" : "$zoom %"}]
        my soon 0
    }

    method zoomChosen {} {
        $Frame.bar.zoom selection clear
        my zoom [lindex [$Frame.bar.zoom get] 0]
    }

    method zoomBy {steps} {
        set steps [expr {[lsearch -exact {fit 50 100 200 400} $Zoom] + $steps}]
        my zoom [lindex {fit 50 100 200 400} [expr {max(0, min(4, $steps))}]]
    }

    method resized {} {
        if {$Zoom eq "fit" && $Trace ne {}} {my soon 60} else {my place}
    }

    # Resolution in pixels an inch: as chosen, or so that the figure fits into the window.
    method resolution {} {
        if {$Zoom ne "fit"} {
            return [my bounded [expr {[my fullResolution] * $Zoom / 100.0}]]
        }
        if {$Points eq {}} {return 72}
        lassign $Points width height
        set margin [::tactus::player::px 12]
        set fit [expr {min(([winfo width $Canvas] - $margin) / double($width),
            ([winfo height $Canvas] - $margin) / double($height))}]
        # A small figure is enlarged to twice its size at most.
        my bounded [expr {72 * min($fit, 2 * [tk scaling])}]
    }

    method fullResolution {} {
        if {[::tactus::player::figure::option $Arguments -format] ni {png ppm}} {return [expr {[tk scaling] * 72}]}
        set resolution [::tactus::player::figure::option $Arguments -resolution]
        expr {[string is double -strict $resolution] ? $resolution : 144}
    }

    # The resolution, lowered so that the picture has at most 3 million pixels: more than a screen has, and read within
    # a moment.
    method bounded {resolution} {
        if {$Points ne {}} {
            lassign $Points width height
            set most [expr {72 * min(sqrt(3e6 / ($width * $height)), 16000 / max($width, $height))}]
            set resolution [expr {min($resolution, $most)}]
        }
        expr {max(4, round($resolution * 10) / 10.0)}
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method show {trace arguments} {
        set Trace $trace
        set Arguments $arguments
        my soon [expr {$Cost > 50 ? 300 : 40}]
    }

    method clear {text} {
        after cancel $Timer
        my giveUp
        set Timer {}
        set Trace {}
        my shows $text
    }

    # Shows a text instead of a figure.
    method shows {text} {
        $Photo blank
        $Photo configure -width 1 -height 1
        $Canvas delete all
        $Canvas create text 0 0 -text $text -tags text -width [::tactus::player::px 400] -justify center
        $Frame.bar.size configure -text {}
        my colors
        my place
    }

    method soon {milliseconds} {
        after cancel $Timer
        if {$Trace eq {}} return
        if {$Cost > 50} {$Frame.bar.note configure -text "drawing …"}
        set Timer [after [expr {max(10, $milliseconds)}] [namespace code {my draw}]]
    }

    method draw {} {
        set Timer {}
        my giveUp
        if {[info commands $Trace] eq {} || [winfo width $Canvas] <= 1} return
        set Began [clock milliseconds]
        set Rounds 0
        my drawAt [my resolution]
    }

    # Gives up the drawing under way.
    method giveUp {} {
        if {$Channel ne {}} {close $Channel}
        set Channel {}
    }

    method drawAt {resolution} {
        incr Rounds
        set Used $resolution
        set arguments [list {*}[dict remove $Arguments -format -resolution] -format ppm -resolution $resolution]
        try {
            set Channel [$Trace exporting $File {*}$arguments]
            fconfigure $Channel -blocking 0
            fileevent $Channel readable [namespace code {my answered}]
        } trap {TACTUS APART} {} {
            set status [catch {$Trace export $File {*}$arguments} result]
            my drawn $status $result
        } on error message {
            my ended $message
        }
    }

    # Reads the answer of the drawing process, which is so short that it arrives at once.
    method answered {} {
        set answer [read $Channel]
        if {$answer eq {} && ![eof $Channel]} return
        my giveUp
        if {[catch {lassign $answer status result}] || $status eq {}} {
            lassign {1 "the figure could not be drawn"} status result
        }
        my drawn $status $result
    }

    # Shows the drawing. Where the figure has another size than the one before, it is drawn once more to fit.
    method drawn {status result} {
        if {$status} {return [my ended $result]}
        try {
            $Photo read $File -format ppm -shrink
        } on error message {
            return [my ended $message]
        }
        set Points [list [expr {[image width $Photo] * 72.0 / $Used}] [expr {[image height $Photo] * 72.0 / $Used}]]
        set wanted [my resolution]
        if {$Rounds < 2 && abs($wanted / $Used - 1) > 0.02} {return [my drawAt $wanted]}
        $Canvas delete all
        $Canvas create rectangle 0 0 1 1 -outline [::tactus::player::theme color border] -fill {} -tags border
        $Canvas create image 0 0 -anchor nw -image $Photo -tags figure
        my tellSize
        my place
        my ended {}
    }

    method ended {message} {
        if {$message ne {}} {my shows $message}
        set Cost [expr {[clock milliseconds] - $Began}]
        $Frame.bar.note configure -text {}
        if {$Done ne {}} {uplevel #0 [list {*}$Done $message]}
    }

    method tellSize {} {
        lassign $Points width height
        set text [::tactus::format "%.0f × %.0f pt, %.2f × %.2f in, %.0f × %.0f mm" $width $height \
            [expr {$width / 72}] [expr {$height / 72}] \
            [expr {$width * 25.4 / 72}] [expr {$height * 25.4 / 72}]]
        $Frame.bar.size configure -text $text
    }

    # Places the picture in the middle, or scrollable when it is larger than the canvas.
    method place {} {
        set width [winfo width $Canvas]
        set height [winfo height $Canvas]
        if {[$Canvas find withtag figure] eq {}} {
            $Canvas coords text [expr {$width / 2}] [expr {$height / 2}]
            $Canvas configure -scrollregion {}
            foreach side {x y} {grid remove $Frame.$side}
            return
        }
        set imageWidth [image width $Photo]
        set imageHeight [image height $Photo]
        set x [expr {max(0, ($width - $imageWidth) / 2)}]
        set y [expr {max(0, ($height - $imageHeight) / 2)}]
        $Canvas coords figure $x $y
        $Canvas coords border [expr {$x - 1}] [expr {$y - 1}] [expr {$x + $imageWidth}] [expr {$y + $imageHeight}]
        $Canvas configure -scrollregion [list 0 0 [expr {max($width, $imageWidth)}] [expr {max($height, $imageHeight)}]]
        foreach {side larger} [list x [expr {$imageWidth > $width}] y [expr {$imageHeight > $height}]] {
            if {$larger} {grid $Frame.$side} else {grid remove $Frame.$side}
        }
    }

    # For tests: milliseconds of the last drawing, its size in pixels, and whether another one is to come.
    method state {} {
        dict create cost $Cost width [image width $Photo] height [image height $Photo] \
            waiting [expr {$Timer ne {} || $Channel ne {}}] points $Points
    }
}
