import {readFileSync} from 'node:fs'
import {dirname} from 'node:path'

/**
 * Modules that a bundle has other code for, by the end of their paths: what oclif does to find plugins and TypeScript on
 * disk, which a bundle never does, costs a fifth of the time to start.
 *
 * @type {Readonly<Record<string, string>>}
 */
const REPLACED = {
  '@oclif/core/lib/config/plugin.js': 'exports.Plugin = class Plugin {}',
  '@oclif/core/lib/config/ts-path.js': 'exports.tsPath = async (root, path) => path',
  // Nothing uses the name of the shell, which oclif starts PowerShell to find, and only --version prints a platform.
  '@oclif/core/lib/util/os.js': `
    exports.getHomeDir = () => require('node:os').homedir()
    exports.getPlatform = async () => process.platform
    exports.getShell = async () => 'unknown'`,
  // What oclif says of itself with DEBUG.
  '@oclif/core/lib/logger.js': `
    const none = () => {}
    const logger = {child: () => logger, debug: none, error: none, info: none, namespace: '', trace: none, warn: none}
    exports.getLogger = () => logger
    exports.makeDebug = () => none
    exports.setLogger = none`,
  // The program has a spinner of its own.
  '@oclif/core/lib/ux/action/spinner.js': "module.exports = require('./simple')",
  'minimatch/dist/commonjs/index.js': 'exports.minimatch = () => false',
  // node-fetch uses it in place of the URL of Node.js before 10.
  'whatwg-url/lib/public-api.js': 'exports.URL = URL',
}

/**
 * Replaces them, and imports what others of oclif import from other packages and from Node.js where it is used: most of it
 * is for what few commands, or none, do.
 *
 * @type {import('esbuild').Plugin}
 */
export const replacedModules = {
  name: 'replaced-modules',
  setup(build) {
    const paths = new Set(Object.keys(REPLACED))
    build.onLoad({filter: /[\\/](core|minimatch|whatwg-url)[\\/].*\.js$/}, ({path}) => {
      const name = path.replaceAll('\\', '/').split('/node_modules/').at(-1) ?? ''
      paths.delete(name)
      const contents =
        REPLACED[name] ?? (name.startsWith('@oclif/core/lib/') ? withLateImports(path) : undefined)
      return contents === undefined ? undefined : {contents, resolveDir: dirname(path)}
    })
    build.onEnd(() => {
      if (paths.size > 0) throw new Error(`the bundle has no ${[...paths].join(', ')} to replace`)
    })
  },
}

/** As TypeScript writes the import of another package or of a module of Node.js. */
const IMPORT = /^const (\w+) = ((?:__importDefault\()?require\("[^."][^"]*"\)\)?);$/gm

/** Reads a CommonJS module of TypeScript, with its imports where they are used. @param {string} path */
function withLateImports(path) {
  const code = readFileSync(path, 'utf8')
  return [...code.matchAll(IMPORT)].reduce((text, [statement, name, imported]) => {
    const late = text
      .replace(statement, '')
      .replaceAll(new RegExp(`\\b${name}(?=\\.)`, 'g'), () => imported ?? '')
    return new RegExp(`\\b${name}\\b`).test(late) ? text : late
  }, code)
}
