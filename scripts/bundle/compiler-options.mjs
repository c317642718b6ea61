/** What esbuild would otherwise take from the next tsconfig.json, which is for tools and not part of the sources of a release. */
export const COMPILER_OPTIONS = {compilerOptions: {alwaysStrict: true}}
