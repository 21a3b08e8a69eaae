// How the script of the page for signing in is bundled: with the library, for browsers, as one script without imports.
/**
 * @param {string} folder where the sources of the page are
 * @returns {import('esbuild').BuildOptions}
 */
exports.signInBundle = (folder) => ({
  entryPoints: [`${folder}/sign-in.js`],
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  banner: {
    js: '/* With oauth4webapi (MIT License, Copyright (c) 2022 Filip Skokan), https://github.com/panva/oauth4webapi */',
  },
  logLevel: 'warning',
});
