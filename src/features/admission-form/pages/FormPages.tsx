import {
  type AnchorHTMLAttributes,
  Component,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react';
import { LinkingContext } from '#kit/browser/ui/linking.ts';
import { FailurePage } from './FailurePage.tsx';
import { type FormDestination, type FormRouter, hrefOf, type Shown } from './form-router.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { PageDataContext, ReloadContext } from './page-data.ts';

const RouterContext = createContext<FormRouter | undefined>(undefined);

/** The page that the form's address asks for. */
export function FormPages({ router }: { router: FormRouter }) {
  const shown = useSyncExternalStore(router.watch, router.shown);
  useEffect(() => router.follow(), [router]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another page begins where its reader left it.
  useLayoutEffect(() => router.scroll(), [router, shown]);
  return (
    <RouterContext value={router}>
      <LinkingContext value={linking}>
        <ReloadContext value={router.load}>
          {shown && (
            <Failures shown={shown}>
              <ShownPage shown={shown} />
            </Failures>
          )}
        </ReloadContext>
      </LinkingContext>
    </RouterContext>
  );
}

function ShownPage({ shown }: { shown: Shown }) {
  if (shown === 'waiting') return <PageSkeleton />;
  if ('error' in shown) return <FailurePage error={shown.error} />;
  return (
    <PageDataContext value={shown.data}>
      <shown.Page />
    </PageDataContext>
  );
}

interface FailuresProps {
  shown: Shown;
  children: ReactNode;
}

/** Replaces a page that cannot be drawn, until another one is shown. */
class Failures extends Component<FailuresProps, { of?: Shown; failure?: { error: unknown } | undefined }> {
  override state = {};

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ shown }: FailuresProps, state: { of?: Shown }) {
    return shown === state.of ? null : { of: shown, failure: undefined };
  }

  override render() {
    const { failure } = this.state as { failure?: { error: unknown } };
    return failure ? <FailurePage error={failure.error} /> : this.props.children;
  }
}

type LinkProps = FormDestination & AnchorHTMLAttributes<HTMLAnchorElement>;

function FormLink({ to, search, hash, onClick, ...rest }: LinkProps) {
  const router = use(RouterContext);
  const destination = { to, ...(search && { search }), ...(hash !== undefined && { hash }) };
  return (
    <a
      {...rest}
      href={`${hrefOf(destination)}${hash ? `#${hash}` : ''}`}
      onClick={(event) => {
        onClick?.(event);
        const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
        if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
        event.preventDefault();
        void router?.navigate(destination);
      }}
    />
  );
}

const linking = {
  Link: FormLink as (props: object) => ReactNode,
  useNavigate: () => use(RouterContext)?.navigate,
  useLocation: () => window.location,
};
