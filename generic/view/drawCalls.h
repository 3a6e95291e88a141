/*
 * drawCalls.h -- the functions of cairo and Pango that Tactus calls, by way of a table.
 *
 * The libraries behind them are three dozen files: to load them takes longer than to read and check a small trace. So
 * only libtactusdraw.so is linked with them (drawTable.c), and that is loaded when something is drawn first. Files that
 * draw include this header for the libraries' own; their functions keep their names. One that is not listed is missed
 * by the linker.
 */
#ifndef TAC_VIEW_DRAW_CALLS_H
#define TAC_VIEW_DRAW_CALLS_H

#include "base/error.h"

#include <cairo-pdf.h>
#include <cairo-ps.h>
#include <cairo.h>
#include <pango/pangocairo.h>

/* clang-format off */
#define TAC_CAIRO_CALLS(F)                                                                                             \
    F(cairo_arc) F(cairo_clip) F(cairo_close_path) F(cairo_copy_clip_rectangle_list) F(cairo_create)                   \
    F(cairo_destroy) F(cairo_fill) F(cairo_fill_preserve) F(cairo_font_options_create)                                 \
    F(cairo_font_options_destroy) F(cairo_font_options_set_antialias) F(cairo_font_options_set_hint_metrics)           \
    F(cairo_font_options_set_hint_style) F(cairo_get_group_target) F(cairo_get_matrix)                                 \
    F(cairo_image_surface_create) F(cairo_image_surface_create_for_data) F(cairo_image_surface_get_data)               \
    F(cairo_image_surface_get_format) F(cairo_image_surface_get_height) F(cairo_image_surface_get_stride)              \
    F(cairo_image_surface_get_width) F(cairo_line_to) F(cairo_move_to) F(cairo_new_path) F(cairo_new_sub_path)         \
    F(cairo_paint) F(cairo_pdf_surface_create_for_stream) F(cairo_pdf_surface_restrict_to_version)                     \
    F(cairo_pdf_surface_set_metadata) F(cairo_pdf_surface_set_size) F(cairo_ps_surface_create_for_stream)              \
    F(cairo_ps_surface_restrict_to_level) F(cairo_ps_surface_set_eps) F(cairo_ps_surface_set_size)                     \
    F(cairo_rectangle) F(cairo_rectangle_list_destroy) F(cairo_rel_line_to) F(cairo_restore) F(cairo_rotate)           \
    F(cairo_save) F(cairo_scale) F(cairo_set_dash) F(cairo_set_fill_rule) F(cairo_set_line_cap)                        \
    F(cairo_set_line_join) F(cairo_set_line_width) F(cairo_set_source_rgb) F(cairo_set_source_rgba)                    \
    F(cairo_show_page) F(cairo_status) F(cairo_status_to_string) F(cairo_stroke) F(cairo_stroke_preserve)              \
    F(cairo_surface_destroy) F(cairo_surface_finish) F(cairo_surface_flush) F(cairo_surface_get_device_offset)         \
    F(cairo_surface_get_type) F(cairo_surface_mark_dirty) F(cairo_surface_mark_dirty_rectangle)                        \
    F(cairo_surface_status) F(cairo_surface_write_to_png_stream) F(cairo_translate)
#define TAC_PANGO_CALLS(F)                                                                                             \
    F(g_log_default_handler) F(g_log_set_default_handler) F(g_object_unref)                                            \
    F(pango_cairo_context_set_font_options) F(pango_cairo_context_set_resolution)                                      \
    F(pango_cairo_font_map_get_default) F(pango_cairo_layout_line_path) F(pango_cairo_show_layout_line)                \
    F(pango_context_get_metrics) F(pango_context_load_font) F(pango_context_set_base_dir)                              \
    F(pango_context_set_language) F(pango_context_set_round_glyph_positions) F(pango_font_description_copy)            \
    F(pango_font_description_free) F(pango_font_description_from_string) F(pango_font_description_new)                 \
    F(pango_font_description_set_absolute_size) F(pango_font_description_set_family)                                   \
    F(pango_font_description_set_style) F(pango_font_description_set_weight) F(pango_font_map_create_context)          \
    F(pango_font_metrics_get_ascent) F(pango_font_metrics_get_descent) F(pango_font_metrics_unref)                     \
    F(pango_language_from_string) F(pango_layout_get_line_readonly) F(pango_layout_get_text)                           \
    F(pango_layout_line_get_extents) F(pango_layout_new) F(pango_layout_set_auto_dir)                                  \
    F(pango_layout_set_font_description) F(pango_layout_set_single_paragraph_mode) F(pango_layout_set_text)
/* clang-format on */

typedef struct tacDrawCalls {
#define TAC_CALL(name) __typeof__(&name) name;
    TAC_CAIRO_CALLS(TAC_CALL) TAC_PANGO_CALLS(TAC_CALL)
#undef TAC_CALL
} tacDrawCalls;

/* NULL until tacDrawNeed has been called. */
extern const tacDrawCalls *tacDraw;
/* Loads the libraries, once. TAC_ERROR: LIBRARY (not found, no memory). To be called before anything is drawn or
 * measured. */
tacStatus tacDrawNeed(tacError *err);

#ifndef TAC_DRAW_TABLE
#define cairo_arc tacDraw->cairo_arc
#define cairo_clip tacDraw->cairo_clip
#define cairo_close_path tacDraw->cairo_close_path
#define cairo_copy_clip_rectangle_list tacDraw->cairo_copy_clip_rectangle_list
#define cairo_create tacDraw->cairo_create
#define cairo_destroy tacDraw->cairo_destroy
#define cairo_fill tacDraw->cairo_fill
#define cairo_fill_preserve tacDraw->cairo_fill_preserve
#define cairo_font_options_create tacDraw->cairo_font_options_create
#define cairo_font_options_destroy tacDraw->cairo_font_options_destroy
#define cairo_font_options_set_antialias tacDraw->cairo_font_options_set_antialias
#define cairo_font_options_set_hint_metrics tacDraw->cairo_font_options_set_hint_metrics
#define cairo_font_options_set_hint_style tacDraw->cairo_font_options_set_hint_style
#define cairo_get_group_target tacDraw->cairo_get_group_target
#define cairo_get_matrix tacDraw->cairo_get_matrix
#define cairo_image_surface_create tacDraw->cairo_image_surface_create
#define cairo_image_surface_create_for_data tacDraw->cairo_image_surface_create_for_data
#define cairo_image_surface_get_data tacDraw->cairo_image_surface_get_data
#define cairo_image_surface_get_format tacDraw->cairo_image_surface_get_format
#define cairo_image_surface_get_height tacDraw->cairo_image_surface_get_height
#define cairo_image_surface_get_stride tacDraw->cairo_image_surface_get_stride
#define cairo_image_surface_get_width tacDraw->cairo_image_surface_get_width
#define cairo_line_to tacDraw->cairo_line_to
#define cairo_move_to tacDraw->cairo_move_to
#define cairo_new_path tacDraw->cairo_new_path
#define cairo_new_sub_path tacDraw->cairo_new_sub_path
#define cairo_paint tacDraw->cairo_paint
#define cairo_pdf_surface_create_for_stream tacDraw->cairo_pdf_surface_create_for_stream
#define cairo_pdf_surface_restrict_to_version tacDraw->cairo_pdf_surface_restrict_to_version
#define cairo_pdf_surface_set_metadata tacDraw->cairo_pdf_surface_set_metadata
#define cairo_pdf_surface_set_size tacDraw->cairo_pdf_surface_set_size
#define cairo_ps_surface_create_for_stream tacDraw->cairo_ps_surface_create_for_stream
#define cairo_ps_surface_restrict_to_level tacDraw->cairo_ps_surface_restrict_to_level
#define cairo_ps_surface_set_eps tacDraw->cairo_ps_surface_set_eps
#define cairo_ps_surface_set_size tacDraw->cairo_ps_surface_set_size
#define cairo_rectangle tacDraw->cairo_rectangle
#define cairo_rectangle_list_destroy tacDraw->cairo_rectangle_list_destroy
#define cairo_rel_line_to tacDraw->cairo_rel_line_to
#define cairo_restore tacDraw->cairo_restore
#define cairo_rotate tacDraw->cairo_rotate
#define cairo_save tacDraw->cairo_save
#define cairo_scale tacDraw->cairo_scale
#define cairo_set_dash tacDraw->cairo_set_dash
#define cairo_set_fill_rule tacDraw->cairo_set_fill_rule
#define cairo_set_line_cap tacDraw->cairo_set_line_cap
#define cairo_set_line_join tacDraw->cairo_set_line_join
#define cairo_set_line_width tacDraw->cairo_set_line_width
#define cairo_set_source_rgb tacDraw->cairo_set_source_rgb
#define cairo_set_source_rgba tacDraw->cairo_set_source_rgba
#define cairo_show_page tacDraw->cairo_show_page
#define cairo_status tacDraw->cairo_status
#define cairo_status_to_string tacDraw->cairo_status_to_string
#define cairo_stroke tacDraw->cairo_stroke
#define cairo_stroke_preserve tacDraw->cairo_stroke_preserve
#define cairo_surface_destroy tacDraw->cairo_surface_destroy
#define cairo_surface_finish tacDraw->cairo_surface_finish
#define cairo_surface_flush tacDraw->cairo_surface_flush
#define cairo_surface_get_device_offset tacDraw->cairo_surface_get_device_offset
#define cairo_surface_get_type tacDraw->cairo_surface_get_type
#define cairo_surface_mark_dirty tacDraw->cairo_surface_mark_dirty
#define cairo_surface_mark_dirty_rectangle tacDraw->cairo_surface_mark_dirty_rectangle
#define cairo_surface_status tacDraw->cairo_surface_status
#define cairo_surface_write_to_png_stream tacDraw->cairo_surface_write_to_png_stream
#define cairo_translate tacDraw->cairo_translate
#define g_log_default_handler tacDraw->g_log_default_handler
#define g_log_set_default_handler tacDraw->g_log_set_default_handler
#define g_object_unref tacDraw->g_object_unref
#define pango_cairo_context_set_font_options tacDraw->pango_cairo_context_set_font_options
#define pango_cairo_context_set_resolution tacDraw->pango_cairo_context_set_resolution
#define pango_cairo_font_map_get_default tacDraw->pango_cairo_font_map_get_default
#define pango_cairo_layout_line_path tacDraw->pango_cairo_layout_line_path
#define pango_cairo_show_layout_line tacDraw->pango_cairo_show_layout_line
#define pango_context_get_metrics tacDraw->pango_context_get_metrics
#define pango_context_load_font tacDraw->pango_context_load_font
#define pango_context_set_base_dir tacDraw->pango_context_set_base_dir
#define pango_context_set_language tacDraw->pango_context_set_language
#define pango_context_set_round_glyph_positions tacDraw->pango_context_set_round_glyph_positions
#define pango_font_description_copy tacDraw->pango_font_description_copy
#define pango_font_description_free tacDraw->pango_font_description_free
#define pango_font_description_from_string tacDraw->pango_font_description_from_string
#define pango_font_description_new tacDraw->pango_font_description_new
#define pango_font_description_set_absolute_size tacDraw->pango_font_description_set_absolute_size
#define pango_font_description_set_family tacDraw->pango_font_description_set_family
#define pango_font_description_set_style tacDraw->pango_font_description_set_style
#define pango_font_description_set_weight tacDraw->pango_font_description_set_weight
#define pango_font_map_create_context tacDraw->pango_font_map_create_context
#define pango_font_metrics_get_ascent tacDraw->pango_font_metrics_get_ascent
#define pango_font_metrics_get_descent tacDraw->pango_font_metrics_get_descent
#define pango_font_metrics_unref tacDraw->pango_font_metrics_unref
#define pango_language_from_string tacDraw->pango_language_from_string
#define pango_layout_get_line_readonly tacDraw->pango_layout_get_line_readonly
#define pango_layout_get_text tacDraw->pango_layout_get_text
#define pango_layout_line_get_extents tacDraw->pango_layout_line_get_extents
#define pango_layout_new tacDraw->pango_layout_new
#define pango_layout_set_auto_dir tacDraw->pango_layout_set_auto_dir
#define pango_layout_set_font_description tacDraw->pango_layout_set_font_description
#define pango_layout_set_single_paragraph_mode tacDraw->pango_layout_set_single_paragraph_mode
#define pango_layout_set_text tacDraw->pango_layout_set_text
#endif

#endif
