"""The look of a step: JupyterLab's own colours for paper and ink, so it is right in light and dark, and one hue a meaning."""

STYLE = """<style>
.course-step { font-size: 13px; line-height: 1.4; color: var(--jp-ui-font-color1, #222); max-width: 1100px; }
.course-step .pair { display: inline-flex; gap: .4em; }
.course-step small { opacity: .75; font-weight: normal; }
.course-step .head { margin: 2px 0 6px; }
.course-step .bad { border-left: 3px solid #d55e00; padding-left: 8px; margin: 3px 0; }
.course-step .cols { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: flex-start; }
.course-step .src { flex: 1 1 400px; min-width: 0; max-width: 680px; padding: 4px 0; font-size: 12px;
  font-family: var(--jp-code-font-family, monospace); border: 1px solid var(--jp-border-color2, #ddd); border-radius: 4px; }
.course-step .src > div { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 8px 0 calc(6ch + 4ch); text-indent: -10ch; }
.course-step .src .now { background: rgba(230, 159, 0, .25); box-shadow: inset 3px 0 #e69f00; }
.course-step .src .no { display: inline-block; width: 6ch; text-indent: 0; text-align: right; opacity: .6; }
.course-step .src .now .no { opacity: 1; font-weight: 700; }
.course-step .src .caller { padding: 0 8px 3px; text-indent: 0; opacity: .8; }
.course-step .src i { opacity: .65; font-style: normal; }
.course-step code { background: none; font-size: 12px; }
.course-step .vars { flex: 1 0 auto; max-width: 100%; overflow-x: auto; }
.course-step .singles { display: flex; flex-wrap: wrap; gap: 2px 18px; margin-bottom: 6px; max-width: 480px; font-size: 12px;
  font-family: var(--jp-code-font-family, monospace); }
.course-step .singles b { font-weight: 500; }
.course-step .singles .new b { font-weight: 700; }
.course-step table { border-collapse: collapse; margin: 0; font-size: 13px; }
.course-step :is(th, td) { text-align: left; padding: 2px 8px 2px 4px; vertical-align: top; border: 0; background: none;
  white-space: nowrap; }
.course-step tr, .course-step tr:hover { background: none !important; }
.course-step th { font-weight: 500; font-family: var(--jp-code-font-family, monospace); font-size: 12px; }
.course-step th small { display: block; font-family: var(--jp-ui-font-family, sans-serif); font-size: 11px; }
.course-step tr.new th { font-weight: 700; }
.course-step .dot { margin-right: 3px; color: #d55e00; }
.course-step .num { font-family: var(--jp-code-font-family, monospace); font-size: 12px; }
.course-step .strip { display: flex; gap: 2px; margin-bottom: 2px; align-items: center; }
.course-step .cell { position: relative; flex: none; width: 42px; height: 24px; box-sizing: border-box; overflow: hidden;
  text-align: center; font-size: 11px; line-height: 22px; border: 1px solid var(--jp-border-color1, #bbb);
  border-radius: 3px; background: rgba(0, 114, 178, var(--a, 0)); font-variant-numeric: tabular-nums; }
.course-step .cell:has(sup) { height: 28px; line-height: 32px; }
.course-step .cell sup { position: absolute; left: 2px; top: 1px; font-size: 8px; line-height: 9px; opacity: .6; }
.course-step :is(.cell, .chip).pad { background: repeating-linear-gradient(135deg, transparent 0 3px,
  rgba(127, 131, 138, .55) 3px 4.5px); }
.course-step :is(.cell, .chip).inf { border-color: #7f838a; border-style: double; border-width: 3px; line-height: 18px; }
.course-step .cell.inf:has(sup) { line-height: 28px; }
.course-step :is(.cell, .chip).nan { border: 2px solid #d55e00; font-weight: 700; }
.course-step .cell.yes { background: rgba(0, 158, 115, .35); }
.course-step .cell.no { opacity: .65; }
.course-step :is(.cell, .chip).rd { box-shadow: inset 0 0 0 2px #56b4e9; border-color: #56b4e9; }
.course-step :is(.cell, .chip).wr { background: rgba(230, 159, 0, .55); border-color: #e69f00; }
.course-step .mem { display: flex; flex-wrap: wrap; gap: 8px 24px; margin-top: 10px; }
.course-step .tensor { min-width: 0; overflow-x: auto; }
.course-step .tensor .row { width: 3ch; text-align: right; opacity: .6; font-size: 11px; padding-right: 4px; }
.course-step .gap { opacity: .7; }
.course-step .chip { display: inline-block; width: 14px; height: 12px; box-sizing: border-box; vertical-align: -1px;
  border: 1px solid var(--jp-border-color1, #bbb); border-radius: 2px; }
.course-step .legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin-top: 8px; font-size: 12px; opacity: .85; }
</style>"""
