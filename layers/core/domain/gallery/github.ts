import type { GalleryEntry } from './entry.ts';

export const github: GalleryEntry = {
  id: 'github',
  name: 'GitHub (reading)',
  description: 'Reads repositories, issues, pull requests, releases and users of GitHub.',
  baseUrl: 'https://api.github.com',
  documentationUrl: 'https://docs.github.com/en/rest',
  credential: {
    need: 'optional',
    help: 'Without one GitHub answers 60 requests an hour and shows what is public. Make a fine-grained token at https://github.com/settings/tokens with read access, and set it as a bearer credential.',
  },
  openapi: `openapi: 3.1.0
info:
  title: GitHub reading
  version: '2022-11-28'
servers:
  - url: https://api.github.com
security:
  - {}
  - token: []
paths:
  /search/repositories:
    get:
      operationId: searchRepositories
      summary: Repositories that fit a search
      parameters:
        - {name: q, in: query, required: true, description: 'Words and qualifiers, such as topic:mcp language:typescript.', schema: {type: string}}
        - {name: sort, in: query, schema: {type: string, enum: [stars, forks, help-wanted-issues, updated]}}
        - {name: order, in: query, schema: {type: string, enum: [asc, desc]}}
        - $ref: '#/components/parameters/PerPage'
        - $ref: '#/components/parameters/Page'
      responses:
        '200': {description: Repositories}
  /search/issues:
    get:
      operationId: searchIssues
      summary: Issues and pull requests that fit a search
      parameters:
        - {name: q, in: query, required: true, description: 'Words and qualifiers, such as repo:owner/name is:issue is:open.', schema: {type: string}}
        - {name: sort, in: query, schema: {type: string, enum: [comments, reactions, created, updated]}}
        - {name: order, in: query, schema: {type: string, enum: [asc, desc]}}
        - $ref: '#/components/parameters/PerPage'
        - $ref: '#/components/parameters/Page'
      responses:
        '200': {description: Issues}
  /repos/{owner}/{repo}:
    parameters:
      - $ref: '#/components/parameters/Owner'
      - $ref: '#/components/parameters/Repo'
    get:
      operationId: getRepository
      summary: A repository
      responses:
        '200': {description: The repository}
        '404': {description: There is none, or it is private}
  /repos/{owner}/{repo}/readme:
    parameters:
      - $ref: '#/components/parameters/Owner'
      - $ref: '#/components/parameters/Repo'
    get:
      operationId: getReadme
      summary: The README of a repository, its content in base64
      responses:
        '200': {description: The file}
  /repos/{owner}/{repo}/issues:
    parameters:
      - $ref: '#/components/parameters/Owner'
      - $ref: '#/components/parameters/Repo'
    get:
      operationId: listIssues
      summary: Issues of a repository, pull requests among them
      parameters:
        - $ref: '#/components/parameters/State'
        - {name: labels, in: query, description: All of them., explode: false, schema: {type: array, items: {type: string}}}
        - {name: sort, in: query, schema: {type: string, enum: [created, updated, comments]}}
        - {name: direction, in: query, schema: {type: string, enum: [asc, desc]}}
        - {name: since, in: query, description: Only those updated after this time., schema: {type: string, format: date-time}}
        - $ref: '#/components/parameters/PerPage'
        - $ref: '#/components/parameters/Page'
      responses:
        '200': {description: Issues}
  /repos/{owner}/{repo}/issues/{issue_number}:
    parameters:
      - $ref: '#/components/parameters/Owner'
      - $ref: '#/components/parameters/Repo'
      - $ref: '#/components/parameters/IssueNumber'
    get:
      operationId: getIssue
      summary: One issue
      responses:
        '200': {description: The issue}
  /repos/{owner}/{repo}/issues/{issue_number}/comments:
    parameters:
      - $ref: '#/components/parameters/Owner'
      - $ref: '#/components/parameters/Repo'
      - $ref: '#/components/parameters/IssueNumber'
    get:
      operationId: listIssueComments
      summary: The comments of an issue
      parameters:
        - $ref: '#/components/parameters/PerPage'
        - $ref: '#/components/parameters/Page'
      responses:
        '200': {description: Comments}
  /repos/{owner}/{repo}/pulls:
    parameters:
      - $ref: '#/components/parameters/Owner'
      - $ref: '#/components/parameters/Repo'
    get:
      operationId: listPullRequests
      summary: Pull requests of a repository
      parameters:
        - $ref: '#/components/parameters/State'
        - {name: base, in: query, description: The branch that they are for., schema: {type: string}}
        - {name: sort, in: query, schema: {type: string, enum: [created, updated, popularity, long-running]}}
        - $ref: '#/components/parameters/PerPage'
        - $ref: '#/components/parameters/Page'
      responses:
        '200': {description: Pull requests}
  /repos/{owner}/{repo}/commits:
    parameters:
      - $ref: '#/components/parameters/Owner'
      - $ref: '#/components/parameters/Repo'
    get:
      operationId: listCommits
      summary: Commits of a repository, the newest first
      parameters:
        - {name: sha, in: query, description: A branch or commit to begin with., schema: {type: string}}
        - {name: path, in: query, description: Only those that touch this file., schema: {type: string}}
        - {name: author, in: query, schema: {type: string}}
        - $ref: '#/components/parameters/PerPage'
        - $ref: '#/components/parameters/Page'
      responses:
        '200': {description: Commits}
  /repos/{owner}/{repo}/releases/latest:
    parameters:
      - $ref: '#/components/parameters/Owner'
      - $ref: '#/components/parameters/Repo'
    get:
      operationId: getLatestRelease
      summary: The latest release of a repository
      responses:
        '200': {description: The release}
  /users/{username}:
    get:
      operationId: getUser
      summary: A user or organization
      parameters:
        - {name: username, in: path, required: true, schema: {type: string}}
      responses:
        '200': {description: The user}
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
  parameters:
    Owner: {name: owner, in: path, required: true, schema: {type: string}}
    Repo: {name: repo, in: path, required: true, schema: {type: string}}
    IssueNumber: {name: issue_number, in: path, required: true, schema: {type: integer, minimum: 1}}
    State: {name: state, in: query, description: Open ones if omitted., schema: {type: string, enum: [open, closed, all]}}
    PerPage: {name: per_page, in: query, description: Thirty if omitted., schema: {type: integer, minimum: 1, maximum: 100}}
    Page: {name: page, in: query, description: Counted from 1., schema: {type: integer, minimum: 1}}
`,
};
