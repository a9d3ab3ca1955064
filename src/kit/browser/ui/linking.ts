import { type ComponentType, createContext, use } from 'react';

/** What links are made of in a program: the shell's router, or the few pages of the form. */
interface Linking {
  Link: ComponentType<object>;
  useNavigate: () => unknown;
  useLocation: () => { pathname: string };
}

export const LinkingContext = createContext<Linking | undefined>(undefined);

/** The program's links; a page without them cannot be drawn. */
export function useLinking(): Linking {
  const linking = use(LinkingContext);
  if (!linking) throw new Error('Links need a LinkingContext.');
  return linking;
}
