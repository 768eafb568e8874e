"""The look of a step: JupyterLab's own colours for paper, ink and code, so it is right in light and dark, and one hue a meaning.

The code has the full width; below it memory and variables, side by side where there is room, else memory first. What a later
step brings keeps its place free (`hidden` is invisible here, not gone): nothing jumps while one steps. The legend names what
this step shows. The doubled class
outweighs JupyterLab's rules for tables in outputs, which come later on an exported page.
"""

STYLE = """<style>
.course-step { container-type: inline-size; font-size: 13px; line-height: 1.4; color: var(--jp-ui-font-color1, #222); max-width: 960px; }
.course-step small { opacity: .75; font-weight: normal; }
.course-step .head { margin: 2px 0 6px; }
.course-step .bad { border-left: 3px solid #d55e00; padding-left: 8px; margin: 3px 0; }
.course-step :is(span, div)[hidden] { display: revert; visibility: hidden; }
.course-step tbody[hidden] { display: table-row-group; visibility: hidden; }
.course-step table[hidden] { display: table; visibility: hidden; }
.course-step .src { margin: 0; padding: 6px 0; overflow-x: auto; font: 13px/1.5 var(--jp-code-font-family, monospace); color: inherit;
  background: var(--jp-cell-editor-background, none); border: 1px solid var(--jp-border-color2, #ddd); border-radius: 6px; }
.course-step .src > * { display: block; width: max-content; min-width: 100%; box-sizing: border-box; padding: 0 10px 0 4px; font-weight: 400; white-space: pre; }
.course-step .src .now { background: rgba(230, 159, 0, .25); box-shadow: inset 3px 0 #e69f00; }
.course-step .src .at { background: rgba(230, 159, 0, .1); }
.course-step .src .no { opacity: .6; margin-right: 10px; }
.course-step .src .now .no { opacity: 1; font-weight: 700; }
.course-step .src .caller { opacity: .8; }
.course-step .src .k { color: var(--jp-mirror-editor-keyword-color, #008000); font-weight: 600; }
.course-step .src .d { color: var(--jp-mirror-editor-meta-color, #a2f); }
.course-step .src .s { color: var(--jp-mirror-editor-string-color, #ba2121); }
.course-step .src .m { color: var(--jp-mirror-editor-number-color, #080); }
.course-step .src i { color: var(--jp-mirror-editor-comment-color, #3e7b7b); }
.course-step .cols { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr); gap: 8px 32px; margin-top: 10px; align-items: start; }
.course-step .vars { grid-row: 1; max-width: 100%; overflow-x: auto; }
.course-step .mem + .src { margin: 8px 0; }
.course-step .together { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 10px 16px; }
.course-step .together .one { min-width: 0; }
.course-step .together .vars { margin-top: 6px; }
.course-step .together .head.waiting { box-shadow: inset 0 -3px #d55e00; }
.course-step .together .head.queued, .course-step .together .head.ended { opacity: .65; }
.course-step .singles { margin-bottom: 6px; max-width: 460px; font: 12px/1.6 var(--jp-code-font-family, monospace); }
.course-step .singles > span { white-space: nowrap; }
.course-step .singles .new { font-weight: 700; }
.course-step.course-step table { border-collapse: separate; border-spacing: 2px; border: 0; margin: 0 0 6px -2px; font-size: 11px;
  table-layout: auto; }
.course-step tbody + tbody::before { content: ""; display: block; height: 4px; }
.course-step.course-step tr, .course-step.course-step tr:hover { background: none !important; }
.course-step.course-step :is(th, td) { padding: 0; border: 0; background: none; text-align: center; vertical-align: middle;
  white-space: nowrap; color: inherit; }
.course-step.course-step th { font-size: 11px; font-weight: 400; opacity: .8; padding: 0 4px 0 0; }
.course-step.course-step th.name { font: 500 12px var(--jp-code-font-family, monospace); text-align: left; vertical-align: top;
  opacity: 1; padding: 3px 8px 0 0; }
.course-step.course-step th.name small { display: block; font: 11px var(--jp-ui-font-family, sans-serif); }
.course-step.course-step .vars th.name { min-width: 88px; }
.course-step.course-step tr.new th.name { font-weight: 700; }
.course-step.course-step td:not(.gap) { min-width: 46px; height: 24px; box-sizing: border-box; line-height: 1;
  border: 1px solid var(--jp-border-color1, #bbb); border-radius: 3px; background: rgba(0, 114, 178, var(--a, 0));
  font-variant-numeric: tabular-nums; }
.course-step.course-step td :is(i, u, b) { font: inherit; text-decoration: none; }
.course-step.course-step :is(td, .chip).pad { background: repeating-linear-gradient(135deg, transparent 0 3px,
  rgba(127, 131, 138, .55) 3px 4.5px); }
.course-step.course-step :is(td, .chip).inf { border: 3px double #7f838a; }
.course-step.course-step :is(td, .chip).nan { border: 2px solid #d55e00; font-weight: 700; }
.course-step.course-step td.yes { background: rgba(0, 158, 115, .35); }
.course-step.course-step td.no { opacity: .65; }
.course-step.course-step :is(td, .chip).rd { box-shadow: inset 0 0 0 2px #56b4e9; border-color: #56b4e9; }
.course-step.course-step :is(td, .chip).wr { background: rgba(230, 159, 0, .55); border-color: #e69f00; }
.course-step .gap { opacity: .7; }
.course-step .mem { display: flex; flex-wrap: wrap; gap: 8px 24px; min-width: 0; }
.course-step .tensor { min-width: 0; overflow-x: auto; }
.course-step .dot { color: #d55e00; }
.course-step .chip { display: inline-block; min-width: 20px; padding: 0 3px; box-sizing: border-box; text-align: center;
  font-size: 11px; line-height: 16px; border: 1px solid var(--jp-border-color1, #bbb); border-radius: 2px; background: rgba(0, 114, 178, var(--a, 0)); }
.course-step .chip :is(i, u, b) { font: inherit; text-decoration: none; }
.course-step .legend { display: flex; flex-wrap: wrap; gap: 3px 16px; margin-top: 8px; font-size: 12px; opacity: .85; }
.course-step:not(:has(td.rd)) .legend > :has(.rd),
.course-step:not(:has(td.wr)) .legend > :has(.wr),
.course-step:not(:has(tbody:not([hidden]) td.pad)) .legend > :has(.pad),
.course-step:not(:has(tbody:not([hidden]) td.inf)) .legend > :has(.inf),
.course-step:not(:has(tbody:not([hidden]) td.nan)) .legend > :has(.nan),
.course-step:not(:has(.vars .dot)) .legend > :has(.dot) { display: none; }
@container (max-width: 620px) { .course-step .cols:not(.together) { grid-template-columns: minmax(0, 1fr); } .course-step .vars { grid-row: auto; } }
</style>"""
