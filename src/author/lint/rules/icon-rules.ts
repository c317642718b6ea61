import type {LintRule} from '../lint-rule.js'
import {SQUARE_PNG, SQUARE_SVG} from './example-files.js'

/** What can be wrong with icons, those in app.yaml included. */
export const ICON_RULES: readonly LintRule[] = [
  {
    id: 'icon-type',
    severity: 'error',
    title: 'An icon has an extension that icons do not have',
    why: 'The type of an icon is that of its extension: svg, png, jpg, jpeg or gif. Others are ignored.',
    advice: 'Convert it to one of these, best to svg.',
    failing: {files: {'icon.webp': SQUARE_PNG}},
    passing: {files: {'icon.png': SQUARE_PNG}},
  },
  {
    id: 'icon-content',
    severity: 'warning',
    title: 'An icon is not what its extension says',
    why: 'Its extension becomes the media type of a data URI, and a browser that trusts it shows a broken picture.',
    advice: 'Rename the file after what it is, or put the picture into it that its name promises.',
    failing: {files: {'icon.svg': SQUARE_PNG}},
    passing: {files: {'icon.png': SQUARE_PNG}},
  },
  {
    id: 'icon-corrupt',
    severity: 'warning',
    title: 'An icon is damaged',
    why: 'Nobody can show it. Usually a transfer cut it short, or git converted line ends in it.',
    advice: 'Replace it with a copy that is whole; mark pictures as binary in .gitattributes.',
    failing: {
      files: {
        'icon.png': {
          base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQ==',
        },
      },
    },
    passing: {files: {'icon.png': SQUARE_PNG}},
  },
  {
    id: 'icon-active',
    severity: 'warning',
    title: 'An icon does more than be a picture',
    why: 'An SVG can hold scripts, other documents and references to other machines. Where a tool shows it within its own page, the script runs with the rights of whoever looks at it, and a reference tells somebody that they did.',
    advice: 'Remove it, as tools such as svgo do; embed what is referred to.',
    failing: {files: {'icon.svg': SQUARE_SVG.replace('></svg>', ' onload="alert(1)"></svg>')}},
    passing: {files: {'icon.svg': SQUARE_SVG}},
  },
  {
    id: 'icon-ratio',
    severity: 'warning',
    title: 'An icon is not square',
    why: 'Icons stand in lists of squares: pictures that are made of pixels should be as wide as high. An SVG scales, and may have any form.',
    advice: 'Crop it, or add an empty margin.',
    failing: {
      files: {
        'icon.png': {
          base64:
            'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAC0lEQVR4nGNgYAAAAAMAAbitOmMAAAAASUVORK5CYII=',
        },
      },
    },
    passing: {files: {'icon.png': SQUARE_PNG}},
  },
  {
    id: 'icon-size',
    severity: 'warning',
    title: 'An icon is large',
    why: 'Every CRD at or below an icon carries it in an annotation, a third larger than the file, and all annotations of a CRD together may take 256 KiB. It also lies in every cluster, and in Git once for each CRD.',
    advice: 'Make it smaller than 64 KiB; a simplified SVG mostly takes a few.',
    failing: {files: {'icon.svg': SQUARE_SVG.replace('></svg>', `><!-- ${'x'.repeat(64 * 1024)} --></svg>`)}},
    passing: {files: {'icon.svg': SQUARE_SVG}},
  },
]
