import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, Problem } from '../api/problem.ts';
import { ButtonLink } from '../kit/button.tsx';
import { Empty, ProblemNote, Skeleton } from '../kit/show.tsx';
import type { PageModule } from '../page.ts';
import type { ServerFrame } from '../pages/server/frame.tsx';
import { meantBy, pageAt, type PageRoute } from '../routes.ts';
import { go, usePlace } from '../state/location.ts';
import { useReconnected } from '../state/action.ts';
import { useAccount } from '../state/session.ts';

interface Drawable extends PageModule {
  readonly Frame?: typeof ServerFrame;
}

const loaded = new Map<PageRoute, Drawable>();
/** The frame of servers, once loaded: it stays while the next page is loaded. */
let frame: Drawable['Frame'];

export const Outlet = () => {
  const { path } = usePlace();
  const account = useAccount();
  const at = pageAt(path);
  const found = at?.page.forOperators && account?.operator !== true ? undefined : at;
  const [, setTurn] = useState(0);
  const [problem, setProblem] = useState<Problem>();
  const page = found?.page;
  useTitle(page?.title ?? 'Not found', found?.params['slug']);
  useTop(path);
  const meant = found ? undefined : meantBy(path);
  useEffect(() => {
    if (meant !== undefined) go(meant, { replace: true });
  }, [meant]);

  useEffect(() => {
    setProblem(undefined);
    if (!page || loaded.has(page)) return;
    let isLatest = true;
    const framing =
      page.ofServer &&
      import('../pages/server/frame.tsx').then(({ ServerFrame }) => {
        frame = ServerFrame;
        if (isLatest) setTurn((turn) => turn + 1);
        return ServerFrame;
      });
    Promise.all([page.load(), framing]).then(
      ([module, Frame]) => {
        loaded.set(page, { Page: module.Page, ...(Frame && { Frame }) });
        if (isLatest) setTurn((turn) => turn + 1);
      },
      () => {
        if (isLatest) setProblem(outdated());
      },
    );
    return () => {
      isLatest = false;
    };
  }, [page]);

  const reload = () => location.reload();
  useReconnected(problem, reload);

  if (meant !== undefined) return <Skeleton />;
  if (!found) return <NotFound />;
  const module = loaded.get(found.page);
  const { slug } = found.params;
  const drawn = problem ? (
    <ProblemNote problem={problem} onRetry={reload} />
  ) : module ? (
    <Boundary key={path}>
      <module.Page params={found.params} />
    </Boundary>
  ) : (
    <Skeleton />
  );
  const Frame = found.page.ofServer && frame;
  return Frame && slug !== undefined ? (
    <Frame key={slug} slug={slug}>
      {drawn}
    </Frame>
  ) : (
    drawn
  );
};

/** Each deployment renames the files of pages, so an open console may ask for former names. */
const outdated = () =>
  new Problem({
    status: 0,
    code: 'outdated',
    detail:
      'This page could not be loaded: the connection was lost, or the console has been renewed since you opened it. Loading it again helps; what you typed stays.',
  });

const NotFound = () => (
  <Empty title="There is no such page">
    <p>The address may have been cut off, or belong to a server that is gone.</p>
    <ButtonLink to="/servers" kind="primary">
      To your servers
    </ButtonLink>
  </Empty>
);

const useTitle = (title: string, slug: string | undefined) => {
  useEffect(() => {
    document.title = `${slug === undefined ? title : `${slug} · ${title}`} · Hosted MCP`;
  }, [title, slug]);
};

/** Scrolls to the top and moves the focus, so that screen readers announce the new page. */
const useTop = (path: string) => {
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
};

interface State {
  readonly problem?: Problem | undefined;
}

/** Shows an exception in place of its page; navigation and drafts stay. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, State> {
  override state: State = {};

  override componentDidCatch(error: unknown): void {
    this.setState({ problem: asProblem(error) });
  }

  render() {
    const { problem } = this.state;
    if (!problem) return this.props.children;
    return <ProblemNote problem={problem} onRetry={() => this.setState({ problem: undefined })} />;
  }
}
