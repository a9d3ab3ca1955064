import { type ComponentType, createElement, lazy } from 'react';
import { withWords } from '#kit/browser/language.tsx';
import { orReload } from './or-reload.ts';

const failed = new Set<() => void>();

/** Lets the parts that could not be fetched be fetched again. */
export function renewParts() {
  for (const renew of failed) renew();
  failed.clear();
}

/** A part of a page that is fetched once it is shown, with its words. A missing file is treated as that of a page. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const fetched = () =>
    lazy(async () => {
      const part = await withWords(load()).catch((error: unknown) => {
        failed.add(renew);
        return orReload(error);
      });
      return { default: part as ComponentType<object> };
    });
  let Part = fetched();
  const renew = () => {
    Part = fetched();
  };
  return (props) => createElement(Part, props);
}
