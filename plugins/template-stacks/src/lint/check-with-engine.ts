import {
  CrossplaneError,
  type Diagnostic,
  type EngineFindings,
  locatePackage,
  type PackageFile,
  type PackagePorts,
  referenceOf,
  type TemplatesToCheck,
} from 'kubectl-crossplane/plugin'
import type {Engine} from '../engines/engine.js'
import {type OpenTemplates, templatesOf} from '../open-templates.js'
import {templateFacts} from '../template-facts.js'
import {testCases} from '../testing/test-cases.js'
import {checkChart} from './check-chart.js'
import {checkFields} from './check-fields.js'
import {checkIdentities} from './check-identities.js'
import {checkTests} from './check-tests.js'
import {checkTexts} from './check-texts.js'

/** The folder of the tests that lint renders. */
const TESTS = 'tests'

/**
 * Checks the texts of templates, what they read, and the objects of the package's tests. Errors of the engine are
 * diagnostics as well.
 */
export async function checkWithEngine(
  checked: TemplatesToCheck,
  ports: PackagePorts,
  engine: Engine,
): Promise<EngineFindings> {
  const {located, behavior, crds, scope, files} = checked
  try {
    const opened = templatesOf(
      {
        name: located.name,
        behavior,
        crds,
        scope,
        files: new Map(files.map(({path, bytes}) => [path, bytes])),
      },
      {capabilities: {}, live: []},
    )
    return await checkOpened(opened, checked, ports, engine)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {diagnostics: [...layoutErrors(error, behavior.source.path)], kinds: []}
  }
}

async function checkOpened(
  opened: OpenTemplates,
  {located, behavior, crds}: TemplatesToCheck,
  ports: PackagePorts,
  engine: Engine,
): Promise<EngineFindings> {
  const {templates} = opened
  const facts = await templateFacts(templates, engine)
  const texts = checkTexts(facts, templates)
  const chart = checkChart(facts, behavior)
  const diagnostics = [
    ...texts,
    ...chart,
    ...(await checkIdentities(templates, engine)),
    ...checkFields(opened, facts, crds),
  ]
  // Errors in the texts themselves would be reported again for each test.
  if (texts.length > 0 || chart.length > 0) return {diagnostics, kinds: []}
  const {cases} = testCases(await testFiles(located, ports), TESTS)
  const tests = await checkTests(cases, opened, engine)
  return {diagnostics: [...diagnostics, ...tests.diagnostics], kinds: tests.kinds}
}

/** A package without tests is valid. */
async function testFiles(
  located: TemplatesToCheck['located'],
  ports: PackagePorts,
): Promise<ReadonlyMap<string, PackageFile['bytes']>> {
  try {
    const {files} = await locatePackage(referenceOf(located), {...ports, filesOf: TESTS})
    return new Map(files.map(({path, bytes}) => [path, bytes]))
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return new Map()
    throw error
  }
}

/** The chart as a whole, or the layout of named templates, could not be read. */
function layoutErrors({diagnostics, message}: CrossplaneError, folder: string): readonly Diagnostic[] {
  if (diagnostics.length === 0) return [{severity: 'error', rule: 'template-syntax', message, file: folder}]
  return diagnostics.map(each => ({...each, rule: 'template-syntax', file: fileIn(folder, each.file)}))
}

function fileIn(folder: string, file: string | undefined): string {
  return file === undefined || file.startsWith(`${folder}/`) ? (file ?? folder) : `${folder}/${file}`
}
