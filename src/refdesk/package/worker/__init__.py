"""The worker of a built package: the agents' tools over HTTP and MCP, and answers with the agent's model.

It starts with numpy alone. What only indexing, embedding or answering needs is imported when it is needed.
"""
