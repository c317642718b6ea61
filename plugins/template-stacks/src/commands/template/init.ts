import {basename, join, relative, resolve} from 'node:path'
import {Command} from '@oclif/core/command'
import {option, string} from '@oclif/core/flags'
import {
  argument,
  commonFlags,
  createFiles,
  CrossplaneError,
  defaultInstanceName,
  type Diagnostic,
  folderFiles,
  formatDocument,
  listSome,
  reportOutputFlag,
  show,
  showNotes,
} from 'kubectl-crossplane/plugin'
import type {Engine} from '../../engines/engine.js'
import {withEngine} from '../../engines/start-engine.js'
import {parseBinding} from '../../init/bindings.js'
import {convertedPackage} from '../../init/converted-package.js'
import {fromTemplates} from '../../init/named-templates.js'
import {defaultKind, type NewKind, parseKind} from '../../init/new-crd.js'
import {type NewPackageFiles, newTemplatePackage} from '../../init/new-template-package.js'
import {
  CHART_TEST,
  copiedChart,
  fromChart,
  fromKustomization,
  fromNothing,
  type TemplateSource,
} from '../../init/sources.js'

export default class Init extends Command {
  static override summary = 'Create a package from a chart, a kustomization or named templates'
  static override description = `Writes a package whose templates are rendered for each custom resource of a new kind: its CRD, app.yaml with the \
dependencies that the rendered objects require, behavior.yaml, the templates, and one golden test.

The schema of the CRD is made of values.schema.json and values.yaml of a chart, or of the bindings to fields of a \
kustomization, or of the fields of spec that named templates read. Templates in the new package itself are used where they are; others are copied. Existing files are not \
overwritten.

A package of early 2020 is converted: a stack.yaml becomes behavior.yaml, and the engine helm2 becomes helm3, which renders \
the same charts.`

  static override examples = [
    {
      description: 'Create a package with a first chart',
      command: '<%= config.bin %> <%= command.id %> my-app',
    },
    {
      description: 'Create a package from a chart',
      command:
        '<%= config.bin %> <%= command.id %> my-blog --from-chart charts/blog --kind Blog.blogs.example.org/v1alpha1',
    },
    {
      description: 'Create a package from a kustomization; the region is a field of its kind',
      command:
        '<%= config.bin %> <%= command.id %> my-storage --from-kustomization base --bind spec.region=Bucket/main:spec.region',
    },
    {
      description: 'Create a package from a folder of Go templates',
      command:
        '<%= config.bin %> <%= command.id %> my-cache --from-templates templates --kind Cache.caches.example.org/v1alpha1',
    },
    {description: 'Test the new package', command: '<%= config.bin %> template test ./my-app'},
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['from-chart', 'from-kustomization', 'from-templates', 'bind', 'kind']

  static override args = {
    dir: argument({default: '.', description: 'Folder of the new package'}),
  }

  static override flags = {
    'from-chart': string({
      helpGroup: 'TEMPLATE',
      helpValue: 'DIR',
      exclusive: ['from-kustomization'],
      summary: 'Folder with a Helm chart',
    }),
    'from-kustomization': string({
      helpGroup: 'TEMPLATE',
      helpValue: 'DIR',
      summary: 'Folder with a kustomization.yaml and everything that it reads',
    }),
    'from-templates': string({
      helpGroup: 'TEMPLATE',
      helpValue: 'DIR',
      exclusive: ['from-chart', 'from-kustomization'],
      summary: 'Folder of named templates, as KIND.GROUP_VERSION/NAME.yaml, or of the templates of one kind',
    }),
    'from-package': string({
      helpGroup: 'TEMPLATE',
      helpValue: 'DIR',
      exclusive: ['from-chart', 'from-kustomization', 'from-templates', 'kind', 'plural', 'title', 'name'],
      summary: 'Package of early 2020 to convert, with a stack.yaml or the engine helm2',
    }),
    bind: string({
      helpGroup: 'TEMPLATE',
      helpValue: 'FIELD=KIND/NAME:FIELD',
      multiple: true,
      multipleNonGreedy: true,
      dependsOn: ['from-kustomization'],
      summary: 'Field of spec that sets a field of an object; can be repeated',
    }),
    kind: string({
      helpGroup: 'PACKAGE',
      helpValue: 'KIND.GROUP/VERSION',
      summary:
        'Kind whose custom resources are rendered (default: from the name, in NAME.example.org/v1alpha1)',
    }),
    plural: string({
      helpGroup: 'PACKAGE',
      helpValue: 'NAME',
      summary: 'Plural of the kind (default: that of English)',
    }),
    scope: option({
      options: ['Cluster', 'Namespaced'] as const,
      helpGroup: 'PACKAGE',
      summary:
        'Scope of the kind and of the package (default: Namespaced; Cluster for a package whose templates create cluster-scoped objects)',
    })(),
    name: string({
      helpGroup: 'PACKAGE',
      helpValue: 'NAME',
      summary: 'Name of the package (default: name of the folder)',
    }),
    title: string({
      helpGroup: 'PACKAGE',
      helpValue: 'TEXT',
      summary: 'Title that user interfaces show (default: the name)',
    }),
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Init)
    const name = defaultInstanceName(flags.name ?? basename(resolve(args.dir)))
    const kind = parseKind(flags.kind ?? defaultKind(name), {
      ...(flags.scope === undefined ? {} : {scope: flags.scope}),
      ...(flags.plural === undefined ? {} : {plural: flags.plural}),
    })
    const {files, notes} = await withEngine(engine => this.#files(args.dir, {name, kind, flags}, engine))
    const written = await createFiles(args.dir, files)
    showNotes(notes, this.argv)
    if (flags.output === 'text') await show(written.map(path => `${join(args.dir, path)}\n`).join(''))
    else await show(formatDocument({kind: 'InitReport', folder: args.dir, written, notes}, flags.output))
  }

  async #files(
    dir: string,
    {name, kind, flags}: {readonly name: string; readonly kind: NewKind; readonly flags: SourceFlags},
    engine: Engine,
  ): Promise<NewPackageFiles> {
    const old = flags['from-package']
    if (old !== undefined) return await convertedPackage(await folderFiles(old), old, engine)
    const folder = flags['from-chart'] ?? flags['from-kustomization'] ?? flags['from-templates']
    const inside = pathInside(dir, folder)
    const areTemplatesThere = inside !== ''
    const read = await sourceOf(name, kind, flags, engine)
    const source = areTemplatesThere ? read : copiedChart(read)
    if (areTemplatesThere && folder !== undefined && source.isMoved === true)
      throw movedTemplates(folder, kind)
    const isScopeGiven = flags.scope !== undefined
    const query = {name, title: flags.title ?? name, source, areTemplatesThere, isScopeGiven}
    const path = areTemplatesThere ? inside : source.path
    const created = await newTemplatePackage({...query, path}, engine)
    return {...created, notes: [...movedNotes(read, source), ...created.notes]}
  }
}

function movedNotes(
  read: TemplateSource,
  {files, crds = [], notes = []}: TemplateSource,
): readonly Diagnostic[] {
  const leftOut = [...read.files.keys()].filter(path => CHART_TEST.test(path) && !files.has(path))
  const unpacked = [...read.files.keys()].filter(path => path.endsWith('.tgz') && !files.has(path))
  const tests = 'the files in templates/tests are left out: only helm test uses them'
  const moved = 'the CRDs in crds are CRDs of the package: it installs them'
  return [
    ...notes,
    ...(leftOut.length === 0 ? [] : [note('init-chart-tests', tests)]),
    ...(unpacked.length === 0
      ? []
      : [note('init-chart-archives', `the archives of charts are unpacked: ${listSome(unpacked)}`)]),
    ...(crds.length === 0 ? [] : [note('init-chart-crds', moved)]),
  ]
}

function note(rule: string, message: string): Diagnostic {
  return {severity: 'note', rule, message}
}

/** Returns the path of a folder within another one; empty if it is not in there. */
function pathInside(dir: string, folder: string | undefined): string {
  const inside = folder === undefined ? '' : relative(dir, folder).split('\\').join('/')
  return inside.startsWith('..') ? '' : inside
}

interface SourceFlags {
  readonly 'from-chart'?: string
  readonly 'from-kustomization'?: string
  readonly 'from-templates'?: string
  readonly 'from-package'?: string
  readonly bind?: readonly string[]
  readonly kind?: string
  readonly title?: string
  readonly scope?: NewKind['scope']
}

async function sourceOf(
  name: string,
  kind: NewKind,
  flags: SourceFlags,
  engine: Engine,
): Promise<TemplateSource> {
  const {'from-chart': chart, 'from-kustomization': kustomization, 'from-templates': templates} = flags
  if (chart !== undefined) return await fromChart(await folderFiles(chart), chart, kind, engine)
  if (templates !== undefined)
    return await fromTemplates(await folderFiles(templates), kind, flags.kind !== undefined, engine)
  if (kustomization === undefined) return fromNothing(name, kind)
  return await fromKustomization(
    await folderFiles(kustomization),
    (flags.bind ?? []).map(parseBinding),
    kind,
    engine,
  )
}

function movedTemplates(folder: string, {kind, group, version}: NewKind): CrossplaneError {
  return new CrossplaneError(
    'usage',
    `cannot use ${folder} where it is: its templates are in no folder of a kind`,
    {
      suggestions: [`Move the templates to ${folder}/${kind}.${group}_${version}/.`],
    },
  )
}
