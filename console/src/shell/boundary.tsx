import { Component, type ComponentChildren } from 'preact';
import { asProblem, type Problem } from '../api/problem.ts';
import { ProblemNote } from '../kit/notice.tsx';

interface State {
  readonly problem?: Problem | undefined;
}

/** A fault of ours is told where it happened; the navigation stays, and so does what was typed. */
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
