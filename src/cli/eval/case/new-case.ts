/** The text of a new case's file: valid as it stands, with comments on what else there may be. */
export function newCaseText(name: string): string {
  return `# An evaluation case of Conclave. Run it with "Conclave: Run Evaluation", or: conclave eval --live MODEL
name: ${JSON.stringify(name)}
question: What is the capital of France?
expect:
  # Words, or regular expressions between slashes.
  answer:
    contains: [Paris]
    not_contains: [/I don't know/i]
  # \`none\`, or the tools in their order: [web_search, { tool: web_fetch, arguments: { url: /docs/ } }]
  tools: none

# What a right answer says, for the critic.
# reference: Paris.

# What memory holds when it begins.
# memory:
#   turns:
#     - { question: How do I like my coffee?, answer: With oat milk., days_ago: 3 }
#   facts: [The user lives in Oslo.]

# Pages and search results, served on this machine: {{pages}} stands for their address.
# pages:
#   /docs: "<h1>Docs</h1><p>The answer.</p>"
# search:
#   - { query: docs, results: [{ title: Docs, url: "{{pages}}/docs", snippet: The docs. }] }

# Several turns, in place of \`question\` and \`expect\`.
# dialogue:
#   - { ask: What is Python's GIL?, expect: { answer: lock } }
#   - { ask: Why was it introduced?, expect: { answer: /reference count|memory/i } }

# What a run may take.
# budgets: { steps: 3, tokens: 4000, seconds: 60 }

# Features that are measured with and without: memory, tools, critic, committee.
# compare: [memory]
`;
}
