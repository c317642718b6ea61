// The architecture, as rules generated from one line. Each rule has a tree under test/architecture/fixtures that must
// break it, so a rule that no longer bites is found. dependency-cruiser refuses slow expressions: keep the patterns
// plain. See src/README.md for what the modules are, docs/decisions/0002-a-pipeline-of-modules.md for why.

/** The pipeline from left to right. A module may be empty still; naming it here costs nothing. */
const line = [
  'yaml',
  'kubernetes',
  'reference',
  'http',
  'fetch',
  'registry',
  'signatures',
  'unpack',
  'xpkg',
  'cache',
  'crd',
  'declaration',
  'index',
  'locate',
  'resolve',
  'render',
  'cluster',
  'usage',
  'plan',
  'health',
  'observe',
]
/** What the line leads to. */
const ends = [
  'apply',
  'commit',
  'author',
  'inspect',
  'doctor',
  'backup',
  'bundles',
  'completion',
  'reconcile',
]
const stages = [...line, ...ends]
/** What stands above the stages, lowest first; adapters hang beside it. */
const above = ['package', 'pipeline', 'adapters', 'cli', 'controller', 'commands', 'hooks']

/** What several use cases of the pipeline are made of, lowest first. */
const parts = [
  'request',
  'signatures',
  'resolution',
  'home',
  'render',
  'impact',
  'inspect',
  'index',
  'cluster',
]
/** The use cases with a folder; one in a file stands beside them. */
const useCases = ['author', 'bundle', 'verify', 'drift', 'doctor', 'fleet', 'git', 'import', 'policy']

/**
 * The order of the folders in a module or plugin, lowest first; its files have none. test/architecture/modules.test.ts fails for a
 * folder that is missing.
 */
const folders = {
  xpkg: ['constraints', 'content', 'image'],
  unpack: ['files', 'go', 'templates'],
  crd: ['checks', 'convert', 'changes', 'instances'],
  declaration: ['entries', 'policy', 'runtime'],
  index: ['entry', 'file', 'registry'],
  resolve: ['solver', 'explain', 'xpkg', 'catalog', 'lock', 'requested', 'packages'],
  cluster: ['api', 'inventory', 'kubeconfig', 'lease'],
  usage: ['objects', 'activation', 'validation'],
  plan: ['file', 'cluster', 'folder', 'layout', 'declaration', 'git'],
  'plan/cluster': ['state', 'crds', 'inventories', 'objects', 'uninstall', 'access', 'core'],
  health: ['readiness', 'sides', 'core'],
  observe: ['objects', 'readiness', 'installs', 'instances', 'changes', 'health', 'core'],
  author: ['build', 'layout', 'init', 'lint', 'attest', 'translate'],
  'author/lint': ['rules', 'pictures', 'server', 'services'],
  adapters: ['cel', 'credentials', 'git', 'http', 'sigstore'],
  pipeline: parts,
  // What commands share, then a folder for each family of commands.
  cli: [
    ...['shell', 'files', 'cache', 'registry', 'sources', 'plan', 'cluster', 'declaration', 'completion'],
    ...['packages', 'author', 'lint', 'index', 'bundle', 'inspect', 'compare', 'resolution', 'render'],
    ...[
      'install',
      'git',
      'update',
      'promote',
      'fleet',
      'import',
      'status',
      'check',
      'drift',
      'doctor',
      'catalog',
    ],
  ],
  'cli/shell': ['flags', 'text', 'progress', 'document', 'ci', 'help'],
  'plugins/catalog/src': ['pages', 'commands'],
  'plugins/package-manager/src': ['manifests', 'run', 'commands'],
  'plugins/services/src': ['model', 'claims', 'managed', 'run', 'testing', 'commands'],
  'plugins/template-stacks/src': [
    ...['engines', 'objects', 'gotemplate', 'helm', 'kustomize', 'explain', 'init', 'run'],
    ...['testing', 'lint', 'commands'],
  ],
}

/** Core modules that touch nothing outside the process; every other one is the world. */
const pureCore = [
  'buffer',
  'crypto',
  'path/posix',
  'stream',
  'stream/promises',
  'string_decoder',
  'util',
  'zlib',
]
/** Dependency types of an import that TypeScript erases. */
const erased = ['type-only', 'type-import']

const layer = (...names) => `^src/(${names.join('|')})/`
const rule = (name, comment, from, to) => ({name, comment, severity: 'error', from, to})

const looksAhead = (name, ahead) =>
  rule(
    `${name}-never-looks-ahead`,
    'A module may use what came before it, never what comes after.',
    {path: layer(name)},
    {path: layer(...ahead)},
  )

/** One rule for each folder of a module but the last, under one name. */
const inOrder = ([module, names]) => {
  const place = module.startsWith('plugins/') ? module : `src/${module}`
  return names
    .slice(0, -1)
    .map((folder, i) =>
      rule(
        `folders-of-${module.replace(/^plugins.(.*).src$/, '$1').replaceAll('/', '-')}-in-order`,
        `A folder of ${module} may use those before it: ${names.join(', ')}.`,
        {path: `^${place}/${folder}/`},
        {path: `^${place}/(${names.slice(i + 1).join('|')})/`},
      ),
    )
}

const forbidden = [
  ...line.map((stage, i) => looksAhead(stage, [...line.slice(i + 1), ...ends, ...above])),
  looksAhead('package', ['adapters', 'cli', 'controller', 'commands', 'hooks']),
  looksAhead('pipeline', ['adapters', 'cli', 'controller', 'commands', 'hooks']),
  rule(
    'package-reads-only-requests',
    'The formats know requests that were read, and signatures; use cases ask the formats.',
    {path: layer('package')},
    {path: layer('pipeline'), pathNot: '^src/pipeline/(request|signatures)/'},
  ),
  rule(
    'requests-know-no-format',
    'What the formats are made of uses none.',
    {path: '^src/pipeline/(request|signatures)/'},
    {path: layer('package')},
  ),
  rule(
    'formats-are-strangers',
    'What packages of two formats share stands above both.',
    {path: '^src/package/(stack|xpkg)/'},
    {path: '^src/package/(stack|xpkg)/', pathNot: '^src/package/$1/'},
  ),
  rule(
    'formats-behind-their-port',
    'Use cases call the port of formats, and never ask which one a package has. Changes of clusters have their own parts.',
    {
      path: '^src/',
      pathNot: '^src/(package/|pipeline/(cluster|git|import)/|pipeline/render/render-(sets|stacks)[.]ts$)',
    },
    {path: '^src/package/(stack|xpkg)/', dependencyTypesNot: erased},
  ),
  rule(
    'installed-formats-behind-their-port',
    'What the packages of one format do in a cluster is loaded where all formats are called.',
    {path: '^src/', pathNot: '^src/pipeline/cluster/(core/|installed-formats[.]ts$)'},
    {
      path: '^src/pipeline/cluster/core/((install|list|uninstall|upgrade)-packages|upgrade-declared|package-history|(installed|outdated)-xpkgs)[.]ts$',
      dependencyTypesNot: erased,
    },
  ),
  rule(
    'use-cases-are-strangers',
    'What two use cases share is a part, which knows none of them.',
    {path: '^src/pipeline/([^/]+)'},
    {path: `^src/pipeline/((${useCases.join('|')})/|[^/]+[.]ts$)`, pathNot: '^src/pipeline/$1'},
  ),
  looksAhead('adapters', ['cli', 'controller', 'commands', 'hooks']),
  looksAhead('cli', ['controller', 'commands', 'hooks']),
  looksAhead('controller', ['commands', 'hooks']),
  ...Object.entries(folders).flatMap(inOrder),
  rule(
    'ends-are-strangers',
    'What the line leads to: none knows another, nor what stands above.',
    {path: layer(...ends)},
    {path: layer(...ends, ...above), pathNot: '^src/$1/'},
  ),
  rule(
    'ground-stands-alone',
    'Every module uses errors, diagnostics and the kits for text and concurrency, so these can use none of them.',
    {path: '^src/(errors|diagnostic|text|without-credentials|api-version|map-concurrent|pem|present)[.]ts$'},
    {path: '^src/', pathNot: '^src/diagnostic[.]ts$'},
  ),
  rule('no-circular', 'Two modules that import each other are one module.', {}, {circular: true}),
  rule(
    'stages-do-no-io',
    'The world comes in through a port.',
    {
      path: [
        '^src/(errors|diagnostic|text|without-credentials|api-version|map-concurrent|pem|present)[.]ts$',
        layer(...stages, 'package', 'pipeline'),
      ],
    },
    {dependencyTypes: ['core'], pathNot: `^(node:)?(${pureCore.join('|')})$`},
  ),
  rule(
    'sdk-only-in-adapters',
    'An SDK is a type everywhere and a value only in src/adapters.',
    {path: '^src/', pathNot: '^src/adapters/'},
    {
      path: 'node_modules/(@kubernetes/client-node|@sigstore|@noble|simple-git|tar-stream|prom-client|@marcbachmann|re2js)/',
      dependencyTypesNot: erased,
    },
  ),
  rule(
    'oclif-and-ora-only-at-the-edge',
    'The domain cannot tell that it runs under oclif.',
    {path: '^src/', pathNot: '^src/(commands/|cli/|controller/|hooks/|plugin[.]ts$)'},
    {path: 'node_modules/(@oclif|ora)/'},
  ),
  rule(
    'adapters-import-only-port-types',
    'An adapter implements a port; its caller does the pure work.',
    {path: '^src/adapters/'},
    {path: layer(...stages, 'package', 'pipeline'), dependencyTypesNot: erased},
  ),
  rule(
    'adapters-are-wired-once',
    'Only the composition root names an adapter.',
    {path: '^src/', pathNot: '^src/(adapters/|cli/wire[.]ts$)'},
    {path: '^src/adapters/'},
  ),
  rule(
    'commands-call-the-pipeline',
    'A command parses, calls one pipeline function and shows the answer.',
    {path: '^src/commands/'},
    {
      path: '^src/',
      pathNot: '^src/(cli/|pipeline/|errors[.]ts$|diagnostic[.]ts$|text[.]ts$)',
      dependencyTypesNot: erased,
    },
  ),
  rule(
    'plugins-use-the-front-door',
    'A plugin imports kubectl-crossplane/plugin, never src.',
    {path: '^plugins/'},
    {path: '^src/'},
  ),
  rule(
    'core-names-no-plugin',
    'Only package.json lists plugins.',
    {path: '^(src|bin)/'},
    {path: '^plugins/'},
  ),
  rule(
    'nothing-depends-on-tests',
    'Share through src or not at all.',
    {path: ['^(src|bin|scripts)/', '^plugins/[^/]+/src/']},
    {path: '(^|/)test/'},
  ),
  rule(
    'ships-what-it-imports',
    'Who installs the program gets dependencies, not devDependencies.',
    {path: '^(src|bin)/'},
    {dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: erased},
  ),
  rule(
    'no-junk-drawers',
    'Name a module after what it knows.',
    {},
    {
      path: [
        '^src/.*/(utils?|helpers?|common|shared|misc|types)[.]ts$',
        '^src/(utils?|helpers?|common|shared|misc|types)([.]ts$|/)',
      ],
    },
  ),
]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden,
  options: {
    tsPreCompilationDeps: true,
    tsConfig: {fileName: 'tsconfig.build.json'},
    // The tests of plugins use those of the program, to which these rules do not apply.
    doNotFollow: {path: ['node_modules', '^test/']},
    // Anchored on purpose: a loose `dist/` would also hide every SDK that ships in one, and with it the SDK rules.
    exclude: {path: ['^dist/', '^plugins/[^/]+/dist/']},
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
}
