/** A parameter of the function that a bundle is: what it is called in it, and the expression that is passed for it. */
export type Parameter = { readonly name: string; readonly value: string };
