// Few rules and strict ones. Layout is oxfmt's, rules that need types are oxlint's, imports between modules are
// dependency-cruiser's; what is here is what the text of one file can get wrong by itself. test/architecture/lint.test.ts plants a violation of each local rule.
import comments from '@eslint-community/eslint-plugin-eslint-comments'
import {defineConfig, globalIgnores} from 'eslint/config'
import tseslint from 'typescript-eslint'
import {names} from './scripts/words/names-rule.mjs'
import {words} from './scripts/words/eslint-rule.mjs'

const typescript = ['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts', 'plugins/**/*.ts', 'examples/**/*.ts']
const sources = ['src/**/*.ts', 'plugins/*/src/**/*.ts']
const edges = [
  'src/adapters/**',
  'src/cli/**',
  'src/controller/**',
  'src/commands/**',
  'src/hooks/**',
  'plugins/*/src/commands/**',
  // Starts servers for the tests of others.
  'plugins/*/src/testing/**',
]

/**
 * The names of an era of the package system: API groups, request and record kinds, managers, annotations and the
 * prefixes built from them. `src/render/era.ts` holds them as rows of one table, which everyone else receives.
 */
const eraNames = [
  '(packages|stacks)\\W{0,4}crossplane\\W{0,4}io',
  '(Package|Stack)Install',
  '(package|stack)install',
  '(package|stack)-(manager|behavior|title)',
  '^Package$',
].join('|')
const eraMessage = 'Names of an era are rows of the table in src/render/era.ts; take them from there.'
const noEraNames = [
  {selector: `Literal[value=/${eraNames}/]`, message: eraMessage},
  {selector: `Literal[regex.pattern=/${eraNames}/]`, message: eraMessage},
  {selector: `TemplateElement[value.cooked=/${eraNames}/]`, message: eraMessage},
]

const noDefaultExport = [
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Export by name; only an oclif command is a default export.',
  },
  {selector: 'ExportSpecifier[exported.name="default"]', message: 'Export by name.'},
]

const noReExport = [
  {selector: 'ExportAllDeclaration', message: 'A name is imported from the file that knows it.'},
  {
    selector: 'ExportNamedDeclaration[source]',
    message: 'A name is imported from the file that knows it; the one front door is src/plugin.ts.',
  },
]

const noRuntimeTypes = [
  {selector: 'TSEnumDeclaration', message: 'Use a union of literals.'},
  {selector: 'TSModuleDeclaration[kind="namespace"]', message: 'Use a module.'},
]

/** What would make two machines, or two runs, answer differently. */
const noHostFacts = [
  {selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'The time is an argument.'},
  {selector: 'CallExpression[callee.name="Date"]', message: 'The time is an argument.'},
  {
    selector: 'CallExpression[callee.property.name=/^(localeCompare|toLocale)/]',
    message: 'The answer may not depend on the locale; compare by code units.',
  },
]

/**
 * A rule given twice for a file is not merged, the later one wins: so each kind of file gets its whole list at once.
 *
 * @param {{readonly selector: string, readonly message: string}[][]} groups
 * @returns {Partial<import('eslint').Linter.RulesRecord>}
 */
const syntax = (...groups) => ({'no-restricted-syntax': ['error', ...groups.flat()]})
const plugin = {rules: {names, words}}
const house = [noEraNames, noReExport, noRuntimeTypes]

/**
 * @param {string} object
 * @param {readonly string[]} properties
 * @param {string} message
 */
const forbidden = (object, properties, message) => properties.map(property => ({object, property, message}))
const noAmbientProcess = forbidden(
  'process',
  ['cwd', 'env'],
  'Only src/cli and src/adapters ask the process.',
)
const noClock = [
  ...forbidden('Date', ['now'], 'The time is an argument.'),
  ...forbidden('Math', ['random'], 'Chance is an argument.'),
]
const worldly = [
  'process',
  'fetch',
  'performance',
  'navigator',
  'crypto',
  'Intl',
  'WebSocket',
  'EventSource',
  'setTimeout',
  'setInterval',
  'setImmediate',
]

const noModuleMocks = forbidden(
  'jest',
  ['mock', 'doMock', 'setMock', 'unstable_mockModule'],
  'Pass a fake that satisfies the port.',
)
const noLostTests = ['it', 'test', 'describe'].flatMap(name =>
  forbidden(
    name,
    ['skip', 'only', 'todo', 'failing'],
    'Every test runs; see describeReal for what needs a tool.',
  ),
)

/** What ESLint itself finds wrong with any JavaScript, and TypeScript's own checks do not. */
const likelyMistakes = [
  'no-async-promise-executor',
  'no-case-declarations',
  'no-cond-assign',
  'no-control-regex',
  'no-empty',
  'no-empty-character-class',
  'no-empty-pattern',
  'no-extra-boolean-cast',
  'no-fallthrough',
  'no-irregular-whitespace',
  'no-loss-of-precision',
  'no-misleading-character-class',
  'no-prototype-builtins',
  'no-regex-spaces',
  'no-self-assign',
  'no-self-compare',
  'no-sparse-arrays',
  'no-unsafe-finally',
  'no-unsafe-optional-chaining',
  'no-useless-catch',
  'no-useless-escape',
]

export default defineConfig(
  globalIgnores([
    'dist/',
    'release/',
    'plugins/*/dist/',
    'coverage/',
    'test/architecture/fixtures/',
    'test/testdata/',
  ]),
  {linterOptions: {reportUnusedDisableDirectives: 'error'}},
  {
    plugins: {comments},
    rules: {
      'comments/require-description': ['error', {ignore: ['eslint-enable']}],
      'comments/no-unlimited-disable': 'error',
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', 60],
      complexity: ['error', 10],
      eqeqeq: 'error',
      ...Object.fromEntries(likelyMistakes.map(name => [name, 'error'])),
    },
  },
  {
    files: typescript,
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // `const {left, ...rest}` is how a key is left out.
      '@typescript-eslint/no-unused-vars': ['error', {argsIgnorePattern: '^_', ignoreRestSiblings: true}],
      'no-console': 'error',
      'no-param-reassign': ['error', {props: true}],
    },
  },
  {
    files: sources,
    rules: {
      ...syntax(...house, noDefaultExport),
      'no-restricted-properties': ['error', ...noAmbientProcess],
    },
  },
  {files: ['src/**/*.ts'], plugins: {house: plugin}, rules: {'house/names': 'error'}},
  {
    // Text that users read, and comments: scripts/words/banned-phrases.mjs has the list.
    files: sources,
    plugins: {house: plugin},
    rules: {'house/words': 'error'},
  },
  {
    // The stages, errors.ts, and whatever module comes next: what is no edge is pure.
    files: sources,
    ignores: edges,
    rules: {
      ...syntax(...house, noDefaultExport, noHostFacts),
      'no-restricted-globals': [
        'error',
        ...worldly.map(name => ({name, message: 'The world comes in as an argument.'})),
      ],
      'no-restricted-properties': ['error', ...noAmbientProcess, ...noClock],
      'no-restricted-imports': [
        'error',
        ...['crypto', 'node:crypto'].map(name => ({
          name,
          allowImportNames: ['createHash', 'Hash', 'createPrivateKey', 'createPublicKey', 'X509Certificate'],
          message: 'Hashing and parsing are pure; the rest of node:crypto is chance or secrets.',
        })),
      ],
    },
  },
  {
    files: ['src/render/era.ts'],
    rules: syntax(noReExport, noRuntimeTypes, noDefaultExport, noHostFacts),
  },
  {
    files: ['src/plugin.ts', 'plugins/*/src/{library,testing}.ts'],
    rules: syntax(noEraNames, noRuntimeTypes, noDefaultExport, noHostFacts),
  },
  // Generated by scripts/kubernetes-types: as long as Kubernetes' types are.
  {
    files: ['src/unpack/go/kubernetes-types.ts', 'src/xpkg/content/xpkg-types.ts'],
    rules: {'max-lines': 'off'},
  },
  {
    files: ['src/cli/**/*.ts', 'src/adapters/**/*.ts', 'plugins/*/src/testing/**/*.ts'],
    rules: {'no-restricted-properties': 'off'},
  },
  {files: ['src/commands/**/*.ts', 'plugins/*/src/commands/**/*.ts'], rules: syntax(...house)},
  {
    files: ['test/**/*.ts', 'plugins/*/test/**/*.ts'],
    rules: {
      ...syntax(noReExport, noRuntimeTypes, noDefaultExport),
      'no-restricted-properties': ['error', ...noModuleMocks, ...noLostTests],
      // The body of a describe is a list, not a function that anybody has to follow.
      'max-lines-per-function': 'off',
      // What is missing where a test says it is there fails that test.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    languageOptions: {
      globals: {
        console: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        TextDecoder: 'readonly',
      },
    },
    rules: {'no-undef': 'error', 'no-unused-vars': 'error'},
  },
  // What pages run in a browser.
  {
    files: ['plugins/catalog/site/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        addEventListener: 'readonly',
        document: 'readonly',
        getSelection: 'readonly',
        location: 'readonly',
        navigator: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
  {
    files: ['bin/*.js'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {Buffer: 'readonly', require: 'readonly'},
    },
  },
)
