// The frame of a plot as SVG: fonts, colours for light and dark mode, and escaped text.

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const style = `
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px }
.quiet { fill: #6e7781 }
.back { fill: #ffffff }
.grid { stroke: #d0d7de; stroke-width: 1 }
.mark { stroke: #24292f; stroke-width: 2 }
.aim { stroke: #6e7781; stroke-width: 2; stroke-dasharray: 2 2 }
.good { fill: #1a7f64 } .bad { fill: #c4432b } .plain { fill: #4c78a8 }
.line0 { stroke: #1a7f64 } .line1 { stroke: #c26a00 } .line2 { stroke: #4c78a8 } .line3 { stroke: #8250df }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .quiet { fill: #8b949e } .back { fill: #0d1117 }
  .grid { stroke: #30363d } .mark { stroke: #e6edf3 } .aim { stroke: #8b949e }
  .good { fill: #3fb68b } .bad { fill: #f0705a } .plain { fill: #79a6d8 }
  .line0 { stroke: #3fb68b } .line1 { stroke: #f0a04b } .line2 { stroke: #79a6d8 } .line3 { stroke: #b392f0 }
}`;

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly subtitle: string;
}

export const frame = ({ width, height, title, subtitle }: Frame, parts: readonly string[]) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"`,
    ` aria-label="${escapeText(title).replaceAll('"', '&quot;')}">`,
    `<style>${style}\n</style>`,
    `<rect class="back" width="${width}" height="${height}" rx="6"/>`,
    `<text class="title" x="16" y="26">${escapeText(title)}</text>`,
    `<text class="quiet" x="16" y="45">${escapeText(subtitle)}</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n');

export const place = (value: number): string => String(Math.round(value * 10) / 10);
