// `npm pack` and `npm publish` of a checkout: it would be installed with all dependencies, which the bundle contains already.
console.error('Error: cannot pack the checkout: the package is the folder dist/npm')
console.error('Try: npm run npm-package && npm pack ./dist/npm')
process.exitCode = 1
