/**
 * The entry point for plugins: `import {…} from 'kubectl-crossplane/plugin'`. A plugin is an npm package with oclif
 * commands; package.json lists it under `oclif.plugins`. Names that are exported here are stable between minor releases;
 * everything else in the package is internal.
 */

/**
 * A failure that the user can fix: a stable code, a message, and suggestions. Everything else is reported as a bug.
 */
export {CrossplaneError, type ErrorCode, withSuggestions} from './errors.js'
/** A diagnostic of an input or a result. */
export type {Diagnostic, Severity, Subject} from './diagnostic.js'

/** A positional argument that is never read from standard input. */
export {argument} from './cli/flags/argument.js'
/** The types of parsed flags. */
export type {FlagValues} from './cli/flags/flag-values.js'
/** `--color`, `--quiet` and `--debug`, which every command has. */
export {commonFlags} from './cli/flags/global.js'
/** `-o` for reports, for lists and for Kubernetes objects. */
export {listOutputFlag, objectOutputFlag, reportOutputFlag} from './cli/flags/output.js'
/** `--packages`, `--as-package` and `--platform`. */
export {packageFlags} from './cli/flags/package.js'
/** `--default-source`, and the flags of registries and of the cache. */
export {pullFlags} from './cli/flags/pull.js'

/** Prints a document with `apiVersion` and `kind`, an object, or text. */
export {formatDocument, formatObject, type OutputFormat, show} from './cli/output/show.js'
/** Prints warnings and notes on standard error. */
export {showNotes, showWarnings} from './cli/output/show.js'
/** Prints a list in the formats of `listOutputFlag`. */
export {type List, showList} from './cli/output/show-list.js'
/** Aligns a table as kubectl does; makes untrusted text safe for a terminal. */
export {formatTable, type Row} from './cli/output/table.js'
export {plainText} from './cli/output/plain-text.js'
/** Colors, if the terminal and the flags allow them. */
export {type Paint, painter} from './cli/output/paint.js'
/** A spinner on a terminal, lines elsewhere. */
export {type Progress, progress} from './cli/output/progress.js'

/** Finds, pulls and reads packages by the flags. */
export {packagePorts} from './cli/ports/package-ports.js'
export type {PackagePorts} from './pipeline/locate/located-package.js'
export {locatePackage} from './pipeline/locate/locate-package.js'
export {parsePackageReference, type PackageReference} from './reference/package-reference.js'
export type {Package} from './unpack/package.js'
export {readPackage} from './unpack/read-package.js'
