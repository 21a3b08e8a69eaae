/* Replaces references in the document, for `page.js`. The browser loads this file first. */
(() => {
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

  function merge(one, other) {
    if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
    if (!isObject(one) || !isObject(other)) return other;
    const merged = { ...one };
    for (const [key, value] of Object.entries(other)) merged[key] = key in one ? merge(one[key], value) : value;
    return merged;
  }

  /**
   * Replaces references, and the parts of `allOf`, by what they stand for, as Swagger UI does. Swagger UI would process the whole
   * document again for each operation that is opened, which takes 0.3 s and more. The document refers only to its own components,
   * and never in a circle. A test compares the results.
   */
  function resolveSubtree(openapi, path, { baseDoc }) {
    const valueAt = (keys) => keys.reduce((value, key) => value?.[key], openapi);
    const resolve = (value) => {
      if (Array.isArray(value)) return value.map(resolve);
      if (!isObject(value)) return value;
      if (value.$ref) {
        const { $ref, ...others } = value;
        const keys = $ref.slice(2).split('/');
        return { ...resolve(valueAt(keys)), ...resolve(others), $$ref: baseDoc + $ref };
      }
      const { allOf, ...own } = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
      if (!Array.isArray(allOf)) return allOf === undefined ? own : { ...own, allOf };
      const merged = merge(allOf.reduce(merge, {}), own);
      delete merged.$$ref;
      return merged;
    };
    return { spec: resolve(valueAt(path)), errors: [] };
  }

  Object.assign((window.administration ??= {}), { resolveSubtree });
})();
