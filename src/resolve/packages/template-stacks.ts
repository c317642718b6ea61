import type {LocateOptions} from '../../locate/located-package.js'
import {type TemplateStack, templateStack} from '../../locate/template-stack.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {OpenPackage} from '../catalog/catalog.js'

/** Packages whose templates are read at a time. */
const MAX_READS = 4

/** Describes the template stacks among packages, by their keys. */
export async function templateStacks(
  opened: ReadonlyMap<string, OpenPackage>,
  options: LocateOptions,
): Promise<ReadonlyMap<string, TemplateStack>> {
  const stacks = new Map<string, TemplateStack>()
  await mapConcurrent([...opened], MAX_READS, async ([key, {located, package: read}]) => {
    const stack = await templateStack(located, read, options)
    if (stack !== undefined) stacks.set(key, stack)
  })
  return stacks
}
