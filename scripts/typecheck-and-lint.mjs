// `npm run typecheck` and `npm run lint` in one process: the rules ask for types that the check has found out already, which
// takes a fifth less time than both. Both run, even if types are wrong, so that one run shows all there is to fix.
import {ESLint} from 'eslint'
import ts from 'typescript'

const CONFIG = 'tsconfig.test.json'

/** Returns the program of `tsc -p tsconfig.test.json`. */
function readProgram() {
  const host = {...ts.sys, onUnRecoverableConfigFileDiagnostic: exitBecauseOf}
  const config = ts.getParsedCommandLineOfConfigFile(CONFIG, undefined, host)
  if (config === undefined) throw new Error(`${CONFIG} is missing`)
  return ts.createProgram({
    rootNames: config.fileNames,
    options: config.options,
    // As ESLint's parser has it, whose rules also ask from a node to what is around it.
    host: ts.createCompilerHost(config.options, true),
    configFileParsingDiagnostics: config.errors,
  })
}

/** @param {ts.Diagnostic} diagnostic @returns {never} */
function exitBecauseOf(diagnostic) {
  print([diagnostic])
  process.exit(1)
}

/** @param {readonly ts.Diagnostic[]} diagnostics */
function print(diagnostics) {
  const format = process.stdout.isTTY ? ts.formatDiagnosticsWithColorAndContext : ts.formatDiagnostics
  const host = {
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getCanonicalFileName: (/** @type {string} */ path) => path,
    getNewLine: () => ts.sys.newLine,
  }
  process.stdout.write(format(diagnostics, host))
}

/** Checks types as `tsc` does. @param {ts.Program} program */
function checkTypes(program) {
  const diagnostics = ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(program))
  print(diagnostics)
  return diagnostics.length === 0
}

/** Lints as `eslint . --max-warnings 0` does, with the types of the program. @param {ts.Program} program */
async function lint(program) {
  const withTypes = {
    files: ['**/*.ts'],
    languageOptions: {parserOptions: {project: null, programs: [program]}},
  }
  const eslint = new ESLint({overrideConfig: withTypes})
  const results = await eslint.lintFiles('.')
  const formatter = await eslint.loadFormatter()
  process.stdout.write(await formatter.format(results))
  return results.every(({errorCount, warningCount}) => errorCount + warningCount === 0)
}

const program = readProgram()
const passed = [checkTypes(program), await lint(program)]
process.exitCode = passed.every(Boolean) ? 0 : 1
