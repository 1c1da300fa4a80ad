// Whether the page stands on a host of plain files, which `scripts/site` says in the page itself.

/** The folder of program and data on such a host, relative to the page; null where a server answers. @type {string|null} */
export const site = globalThis.document?.documentElement.dataset.site ?? null;
