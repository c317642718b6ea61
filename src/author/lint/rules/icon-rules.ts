import type {LintRule} from '../lint-rule.js'
import {SQUARE_PNG, SQUARE_SVG} from './example-files.js'

/** Rules for icons, including those in app.yaml. */
export const ICON_RULES: readonly LintRule[] = [
  {
    id: 'icon-type',
    severity: 'error',
    title: 'An icon has an unsupported extension',
    why: 'The extension determines the media type: svg, png, jpg, jpeg or gif. Icons with other extensions are ignored.',
    advice: 'Convert the icon to one of these formats, preferably svg.',
    failing: {files: {'icon.webp': SQUARE_PNG}},
    passing: {files: {'icon.png': SQUARE_PNG}},
  },
  {
    id: 'icon-content',
    severity: 'warning',
    title: 'The content of an icon does not match its extension',
    why: 'The extension determines the media type of a data URI, so browsers show a broken image.',
    advice: 'Rename the file to match its content, or replace it.',
    failing: {files: {'icon.svg': SQUARE_PNG}},
    passing: {files: {'icon.png': SQUARE_PNG}},
  },
  {
    id: 'icon-corrupt',
    severity: 'warning',
    title: 'An icon is corrupt',
    why: 'It cannot be displayed. Often the file was truncated, or Git converted its line endings.',
    advice: 'Replace the file with an intact copy, and mark images as binary in .gitattributes.',
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
    title: 'An icon contains active content',
    why: 'An SVG can contain scripts, other documents and references to remote hosts. If a user interface embeds it in a page, scripts run with the permissions of the user, and references disclose who views it.',
    advice: 'Remove the active content, for example with svgo, and embed referenced files.',
    failing: {files: {'icon.svg': SQUARE_SVG.replace('></svg>', ' onload="alert(1)"></svg>')}},
    passing: {files: {'icon.svg': SQUARE_SVG}},
  },
  {
    id: 'icon-ratio',
    severity: 'warning',
    title: 'An icon is not square',
    why: 'User interfaces show icons in squares, so bitmap images should be as wide as they are high. SVG icons can have any shape.',
    advice: 'Crop the image, or add an empty margin.',
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
    why: 'Every CRD in or below the folder of an icon carries it in an annotation, which is a third larger than the file. All annotations of a CRD are limited to 256 KiB, and each copy is stored in the cluster and in Git.',
    advice: 'Reduce the icon to less than 64 KiB; a simplified SVG usually has a few KiB.',
    failing: {files: {'icon.svg': SQUARE_SVG.replace('></svg>', `><!-- ${'x'.repeat(64 * 1024)} --></svg>`)}},
    passing: {files: {'icon.svg': SQUARE_SVG}},
  },
]
