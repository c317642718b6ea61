import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {readTemplates} from '../../locate/read-templates.js'
import {runBehavior} from '../../render/behavior-deployment.js'
import {templateSource} from '../../render/inline-templates.js'
import {originalController} from '../../render/original-controller.js'
import type {Install} from '../../render/package-record.js'
import type {RenderChoices} from '../../render/render-part.js'
import {quoted} from '../../text.js'
import {asText} from '../../yaml/json-value.js'

/**
 * Adds the templates of a template stack whose definition includes them. Throws `not-found` without them, and `usage` if the
 * controller only reads those of an image.
 */
export async function withTemplates(
  install: Install,
  located: LocatedPackage,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<Install> {
  const {behavior} = install.package
  if (behavior === undefined || templateSource(behavior, choices.templatesFrom) === 'image') return install
  const {controllerImage} = runBehavior(choices.era, behavior, choices)
  if (choices.templatesFrom === 'inline' && originalController(controllerImage) !== undefined)
    throw onlyImages(controllerImage)
  const templates = await readTemplates(located, behavior, ports, 'any')
  if (templates !== undefined) return {...install, templates: templates.files}
  const folder = quoted(behavior.source.path)
  throw new CrossplaneError(
    'not-found',
    `cannot include the templates of ${located.name}: no folder ${folder}`,
    {
      suggestions: ['Pass --templates-from image, or a package that contains the folder.'],
    },
  )
}

/** Warns of templates that their controller cannot read: it ends at its start, and nothing is ever created. */
export function engineWarnings({request, package: read}: Install, choices: RenderChoices): Diagnostic[] {
  const {behavior} = read
  if (behavior === undefined || asText(behavior.engine.type) !== 'gotemplate') return []
  const {controllerImage} = runBehavior(choices.era, behavior, choices)
  if (originalController(controllerImage) === undefined) return []
  const message = `the controller of ${request.name} is ${controllerImage}, which does not support the engine gotemplate: pass --controller-image IMAGE with an image of kubectl-crossplane`
  return [{severity: 'warning', rule: 'controller-image-engine', message}]
}

function onlyImages(image: string): CrossplaneError {
  return new CrossplaneError(
    'usage',
    `--templates-from inline requires another controller: ${image} only reads the templates of an image`,
    {suggestions: ['Pass --controller-image IMAGE with an image of kubectl-crossplane.']},
  )
}
